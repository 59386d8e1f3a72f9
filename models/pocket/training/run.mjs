// Runs a TypeScript file on Node 20: node run.mjs <file.ts> [arguments]. Vite strips the types; nothing is written.
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const [file, ...rest] = process.argv.slice(2);
const path = resolve(file);
process.argv = [process.argv[0], path, ...rest];
const server = await createServer({
  root,
  configFile: false,
  logLevel: 'error',
  appType: 'custom',
  server: { middlewareMode: true, hmr: false, watch: null, ws: false },
  optimizeDeps: { noDiscovery: true },
});
try {
  const module = await server.ssrLoadModule(path);
  await module.main?.(rest);
} finally {
  await server.close();
}
