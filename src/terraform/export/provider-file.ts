import { type Block, blockText } from './hcl.ts';

export const apiKeyVariable: Block = {
  comments: ['Set TF_VAR_pager_api_key, or remove this variable and set PAGER_API_KEY.'],
  head: ['variable', 'pager_api_key'],
  attributes: [
    ['type', { address: 'string' }],
    ['default', { address: 'null' }],
    ['sensitive', true],
  ],
};

export function providerText(baseUrl: string, homeTeam: string | null): string {
  const provider: Block = {
    head: ['provider', 'pager'],
    attributes: [
      // A password in it is nobody's to read: the environment has to say it each time.
      ...(URL.parse(baseUrl)?.password ? [] : [['base_url', baseUrl] as const]),
      ['api_key', { address: 'var.pager_api_key' }],
      ...(homeTeam === null ? [] : [['team_id', homeTeam] as const]),
    ],
  };
  return `# Import blocks need Terraform 1.5 or OpenTofu 1.5.
terraform {
  required_version = ">= 1.5"
  required_providers {
    pager = { source = "pager/pager" }
  }
}

${blockText(provider)}`;
}
