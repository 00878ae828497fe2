import type { ServerProcess } from './server-process.ts';

/** Another integration, whose policy tells a chat and the owner at once. */
export async function seedChatAndMail({ api }: ServerProcess, chatUrl: string): Promise<string> {
  const [owner] = await api.list('users');
  const [service] = await api.list('services');
  const policy = await api.create('escalation-policies', {
    name: 'Chat and mail',
    steps: [
      {
        targets: [
          { via: 'slack', webhook_url: chatUrl },
          { via: 'email', user_id: owner.id },
        ],
      },
    ],
  });
  const integration = await api.create('integrations', {
    slug: 'webhook',
    service_id: service.id,
    escalation_policy_id: policy.id,
  });
  return integration.webhook_url;
}
