#!/usr/bin/env node
import { existsSync } from 'node:fs';

const built = new URL('../dist/cli.js', import.meta.url);
if (!existsSync(built)) {
  process.stderr.write('parallax: the program is not built; run "npm ci" (or "npm run build") in its folder\n');
  process.exit(1);
}
const { main } = await import(built.href);
await main(process.argv.slice(2));
