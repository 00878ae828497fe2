// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is Terraform that has templates.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readAttributes } from '../../../test/terraform/hcl-reader.ts';
import { type Attributes, attributesText, blockText, type Expression, quoted } from './hcl.ts';

test('a string says exactly what it is made of', () => {
  const cases = [
    ['', '""'],
    ['plain, 支付', '"plain, 支付"'],
    ['"\\', String.raw`"\"\\"`],
    ['\n\r\t', String.raw`"\n\r\t"`],
    ['\u0007\u0085\u2028\u202e\ufeff', String.raw`"\u0007\u0085\u2028\u202e\ufeff"`],
    ['${a} %{b}', '"$${a} %%{b}"'],
    ['$$${ %%{ $%{', '"$$$${ %%%{ $%%{"'],
    ['$ { 100% $', '"$ { 100% $"'],
    ['👩‍💻', '"👩‍💻"'],
  ] as const;
  for (const [text, written] of cases) assert.equal(quoted(text), written);
});

test('a block is laid out as terraform fmt lays it out', () => {
  const text = blockText({
    comments: ['Why it is here.'],
    head: ['resource', 'pager_service', 'shop'],
    attributes: [
      ['a', 1],
      ['longer', { address: 'pager_team.web.id' }],
      ['steps', { list: [{ object: [['users', { list: ['x'] }]] }] }],
      ['b', { object: [] }],
      ['none', { list: [] }],
      [
        'pair',
        {
          object: [
            ['for', true],
            ['unit', 'days'],
          ],
        },
      ],
    ],
  });
  assert.equal(
    text,
    `# Why it is here.
resource "pager_service" "shop" {
  a      = 1
  longer = pager_team.web.id
  steps = [
    {
      users = ["x"]
    },
  ]
  b    = {}
  none = []
  pair = { "for" = true, unit = "days" }
}
`,
  );
});

test('what does not fit on a line stands one below the other', () => {
  const long = 'x'.repeat(60);
  const text = attributesText([
    ['list', { list: [long, long] }],
    [
      'pair',
      {
        object: [
          ['a', long],
          ['bc', long],
        ],
      },
    ],
  ]);
  assert.equal(
    text,
    `list = [
  "${long}",
  "${long}",
]
pair = {
  a  = "${long}"
  bc = "${long}"
}
`,
  );
});

const { attributes: anyAttributes } = fc.letrec<{ attributes: Attributes; value: Expression }>(
  (tie) => ({
    attributes: fc.uniqueArray(
      fc.tuple(fc.string({ minLength: 1, unit: 'grapheme' }), tie('value')),
      {
        selector: ([name]) => name,
        maxLength: 4,
      },
    ),
    value: fc.oneof(
      { depthSize: 'small' },
      fc.string({ unit: 'grapheme', size: 'medium' }),
      fc.stringMatching(/^[$%{}"\\n]*$/),
      fc.integer(),
      fc.boolean(),
      fc.constant({ address: 'data.pager_user.ada.id' }),
      fc.array(tie('value'), { maxLength: 4 }).map((list) => ({ list })),
      tie('attributes').map((object) => ({ object })),
    ),
  }),
);

test('what is written is read back as it was', () => {
  fc.assert(
    fc.property(anyAttributes, (attributes) => {
      assert.deepEqual(readAttributes(attributesText(attributes)), attributes);
    }),
  );
});
