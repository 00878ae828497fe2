/** As the API draws it. */
export type Qr = { readonly size: number; readonly path: string };

/** Dark on light in both themes: not every app reads the reverse. */
export const QrCode = ({ label, qr: { size, path } }: { label: string; qr: Qr }) => (
  <svg
    role="img"
    aria-label={label}
    viewBox={`0 0 ${size} ${size}`}
    shapeRendering="crispEdges"
    className="w-56 max-w-full rounded-md"
  >
    <rect width={size} height={size} fill="white" />
    <path d={path} fill="black" />
  </svg>
);
