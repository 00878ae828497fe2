import { RecordsPage } from '../records/list-page.tsx';
import { webhooks } from './kind.ts';

export const WebhooksPage = () => (
  <RecordsPage
    kind={webhooks}
    note={({ method, description }) =>
      [method ?? 'GET', description].filter((text) => typeof text === 'string').join(' · ')
    }
  />
);
