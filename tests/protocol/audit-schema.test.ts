import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { auditJsonSchema } from '../../src/protocol/audit-file.ts';

test('audits/schema/audit.schema.json is what `parallax validate --json-schema` prints', () => {
  const file = join(import.meta.dirname, '../../audits/schema/audit.schema.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(auditJsonSchema());
});
