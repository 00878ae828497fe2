import { vendorNamed } from '../../resources/connections/vendors.ts';
import { Icon } from '../ui/icon.tsx';
import { ManifestField } from './manifest-section.tsx';

/** Where what a connection needs comes from, at vendors that are not known from their fields alone. */
export function VendorSteps({ vendor }: { vendor: string }) {
  const { setup, manifest } = vendorNamed(vendor) ?? {};
  if (setup === undefined) return null;
  const { title, link, steps, note } = setup;
  return (
    <section aria-label={title} className="rounded-md bg-sunken px-3 py-2 text-sm">
      <ol className="flex list-decimal flex-col gap-1 ps-5">
        <li>
          <a
            href={link.href}
            target="_blank"
            rel="noreferrer"
            className="inline-flex items-baseline gap-1 underline"
          >
            {link.text}
            <Icon name="external-link" className="size-3.5" />
          </a>
        </li>
        {steps.map((step) => (
          <li key={step} className="text-pretty">
            {step}
          </li>
        ))}
      </ol>
      <p className="mt-2 font-medium text-pretty">{note}</p>
      {manifest !== undefined && (
        <div className="mt-2">
          <ManifestField manifest={manifest} />
        </div>
      )}
    </section>
  );
}
