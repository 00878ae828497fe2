import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutSecretValues } from './secret-query.ts';

for (const [query, shown] of [
  ['', ''],
  ['token=abc&env=prod', 'token=•••&env=prod'],
  ['env=prod&api_key=a=b=', 'env=prod&api_key=•••'],
  ['X-Amz-Signature=0f&X-Amz-Date=1', 'X-Amz-Signature=•••&X-Amz-Date=1'],
  ['access%5Ftoken=abc', 'access%5Ftoken=•••'],
  ['%E0%A4%token=abc', '%E0%A4%token=•••'],
  ['PASSWORD=x&auth=y&key=z', 'PASSWORD=•••&auth=•••&key=•••'],
  ['token=&token', 'token=&token'],
  ['dedup_key=disk&monkey=1&author=ada&encoded=1', 'dedup_key=disk&monkey=1&author=ada&encoded=1'],
] as const)
  test(`of the query "${query}" "${shown}" is shown`, () =>
    assert.equal(withoutSecretValues(query), shown));
