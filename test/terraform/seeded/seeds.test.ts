import { after, before, describe, test } from 'node:test';
import { noTerraform } from '../terraform.ts';
import { live, openWorld, type World } from './story.ts';

describe('Terraform in trouble', { skip: noTerraform ?? false }, () => {
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  after(() => world[Symbol.asyncDispose]());

  test('whatever happens to its applies, the last one makes what is configured', () =>
    live(world, 100));
});
