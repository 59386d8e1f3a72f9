// Builds docs/site: every guide of docs/ as a page, the README as the front page, typedoc's reference under api/.
// Nothing is fetched, and the pages fetch nothing. Exits 1 when a link leads nowhere.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import markdownIt from 'markdown-it';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Guides in the order of the navigation; others of docs/ follow in text order. */
const ORDER = [
  'README.md',
  'docs/first-audit.md',
  'docs/scenes.md',
  'docs/pictures.md',
  'docs/evaluators.md',
  'docs/judges.md',
  'docs/probes.md',
  'docs/renderers.md',
  'docs/card.md',
  'docs/report.md',
  'docs/statistics.md',
  'docs/calibration.md',
  'docs/paper.md',
  'docs/machines.md',
  'docs/faults.md',
  'docs/kit-and-pocket.md',
  'docs/faq.md',
  'docs/decisions.md',
];
const EXTRA = ['CONTRIBUTING.md', 'CHANGELOG.md', 'models/pocket/README.md'];

const STYLE = `:root{color-scheme:light dark;--paper:#fdfdfc;--panel:#f5f4f1;--ink:#1b1d21;--ink-2:#565b64;--line:#e0ded8;--link:#0b5394}
@media (prefers-color-scheme:dark){:root{--paper:#15171a;--panel:#1e2125;--ink:#e9e8e4;--ink-2:#a9adb4;--line:#33383e;--link:#8cc0f0}}
*{box-sizing:border-box}html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.6 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans","DejaVu Sans",sans-serif;overflow-wrap:break-word}
a{color:var(--link);text-underline-offset:.15em}:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-999rem}.skip:focus{left:1rem;top:1rem;background:var(--paper);padding:.5rem 1rem}
.page{max-width:46rem;margin:0 auto;padding:2rem 1.1rem 5rem}
nav{font-size:.92rem}nav ul{list-style:none;padding:0;margin:.4rem 0;columns:2}nav a{color:var(--ink-2);text-decoration:none;display:block;padding:.25rem 0}nav a:hover,nav a[aria-current]{color:var(--link)}nav a[aria-current]{font-weight:650}
@media (min-width:70rem){.page{max-width:66rem;display:grid;grid-template-columns:12rem minmax(0,46rem);column-gap:4rem}nav{position:sticky;top:2rem;align-self:start}nav ul{columns:1}}
h1{font-size:clamp(1.7rem,5vw,2.2rem);line-height:1.15;letter-spacing:-.018em;margin:0 0 1rem}h2{font-size:1.35rem;line-height:1.25;margin:2.6rem 0 .6rem}h3{font-size:1.05rem;margin:1.8rem 0 .4rem}
nav label{display:block;color:var(--ink-2)}nav label[hidden],nav .found[hidden]{display:none}nav input{font:inherit;width:100%;margin:.2rem 0 .5rem;padding:.3rem .5rem;color:var(--ink);background:var(--panel);border:1px solid var(--ink-2);border-radius:.35rem}nav .found{columns:1}nav .found small{display:block}
h1,h2,h3,h4{scroll-margin-top:1rem}.anchor{color:var(--ink-2);text-decoration:none;margin-left:.35rem;opacity:0}h2:hover .anchor,h3:hover .anchor,.anchor:focus{opacity:1}
code{font:.88em/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}p code,li code,td code{background:var(--panel);padding:.08em .3em;border-radius:.2em;overflow-wrap:anywhere}
pre{background:var(--panel);padding:.9rem 1rem;border-radius:.4rem;overflow-x:auto}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem;width:100%}th,td{text-align:left;vertical-align:top;padding:.4rem .8rem .4rem 0;border-bottom:1px solid var(--line)}th{color:var(--ink-2);font-weight:550}
img{max-width:100%;height:auto}blockquote{margin:1rem 0;padding-left:1rem;border-left:3px solid var(--line);color:var(--ink-2)}`;

const slugOf = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replace(/\s+/g, '-');
const escapeHtml = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Page of the site for a Markdown file of the repository. */
function pageOf(path) {
  if (path === 'README.md') return 'index.html';
  if (path === 'models/pocket/README.md') return 'pocket.html';
  return `${posix.basename(path, '.md').toLowerCase()}.html`;
}

function guides() {
  const found = readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .sort();
  const all = [...ORDER, ...found.filter((path) => !ORDER.includes(path)), ...EXTRA];
  return all.filter((path) => existsSync(join(root, path)));
}

function titleOf(path, source) {
  if (path === 'README.md') return 'Parallax';
  return /^#\s+(.+)$/m.exec(source)?.[1].replace(/[`*]/g, '') ?? path;
}

/** Builds the site; returns the problems found (links that lead nowhere). */
export function buildDocs({ out = join(root, 'docs', 'site'), api = true } = {}) {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const paths = guides();
  const pages = new Map(paths.map((path) => [path, { path, source: readFileSync(join(root, path), 'utf8') }]));
  const problems = [];
  const anchors = new Map();
  const wanted = [];
  const rendered = [...pages.values()].map((page) => ({ page, ...render(page, pages, out, problems, wanted) }));
  const index = rendered.flatMap(({ page, headings }) => {
    const title = titleOf(page.path, page.source);
    return headings.map(({ id, text, level }) => [level === 'h1' ? '' : text, title, `${pageOf(page.path)}#${id}`]);
  });
  const script = searchScript(index);
  for (const { page, html, headings } of rendered) {
    anchors.set(pageOf(page.path), new Set(headings.map(({ id }) => id)));
    writeFileSync(join(out, pageOf(page.path)), wrap(page, html, pages, api, script));
  }
  for (const { from, page, anchor } of wanted)
    if (!anchors.get(page)?.has(anchor)) problems.push(`${from}: no heading "#${anchor}" in ${page}`);
  if (api) buildReference(join(out, 'api'));
  return problems;
}

function render(page, pages, out, problems, wanted) {
  const markdown = markdownIt({ html: false, linkify: false });
  const ids = new Set();
  const headings = [];
  const target = (href, image) => {
    if (/^https?:/.test(href)) return image ? '' : href;
    if (/^[a-z]+:/i.test(href)) return '';
    const [file, anchor] = href.split('#');
    const path =
      file === '' ? page.path : posix.normalize(posix.join(posix.dirname(page.path), decodeURIComponent(file)));
    if (pages.has(path)) {
      if (anchor !== undefined) wanted.push({ from: page.path, page: pageOf(path), anchor });
      return `${pageOf(path)}${anchor === undefined ? '' : `#${anchor}`}`;
    }
    const source = join(root, path);
    if (path.startsWith('..') || !existsSync(source)) {
      problems.push(`${page.path}: link to "${href}", which is not there`);
      return '';
    }
    if (!statSync(source).isFile()) return '';
    const copy = join(out, 'files', path);
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(source, copy);
    return `files/${path}`;
  };
  const { rules } = markdown.renderer;
  rules.link_open = (tokens, index, options, _env, self) => {
    const href = target(tokens[index].attrGet('href') ?? '', false);
    if (href === '') {
      // A folder of the repository has no page: its name stays, as text.
      tokens[index].tag = 'span';
      let close = index;
      while (tokens[close].type !== 'link_close') close += 1;
      tokens[close].tag = 'span';
      tokens[index].attrs = [];
    } else tokens[index].attrSet('href', href);
    return self.renderToken(tokens, index, options);
  };
  rules.image = (tokens, index, options, env, self) => {
    tokens[index].attrSet('src', target(tokens[index].attrGet('src') ?? '', true));
    tokens[index].attrSet('alt', self.renderInlineAsText(tokens[index].children ?? [], options, env));
    return self.renderToken(tokens, index, options);
  };
  rules.heading_open = (tokens, index) => {
    const slug = slugOf(tokens[index + 1].content.replace(/[`*]/g, ''));
    let id = slug;
    for (let count = 1; ids.has(id); count += 1) id = `${slug}-${count}`;
    ids.add(id);
    headings.push({ id, text: tokens[index + 1].content.replace(/[`*]/g, ''), level: tokens[index].tag });
    tokens[index].attrSet('id', id);
    return `<${tokens[index].tag} id="${escapeHtml(id)}">`;
  };
  rules.heading_close = (tokens, index) => {
    let open = index;
    while (tokens[open].type !== 'heading_open') open -= 1;
    const id = tokens[open].attrGet('id');
    const text = tokens[open + 1].content.replace(/[`*]/g, '');
    return tokens[index].tag === 'h1'
      ? '</h1>\n'
      : `<a class="anchor" href="#${escapeHtml(id)}" aria-label="Link to ${escapeHtml(text)}">#</a></${tokens[index].tag}>\n`;
  };
  rules.table_open = () => '<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>\n';
  rules.table_close = () => '</table></div>\n';
  const fence = rules.fence;
  rules.fence = (tokens, index, options, env, self) =>
    fence(tokens, index, options, env, self).replace('<pre>', '<pre tabindex="0">');
  const code = rules.code_block;
  rules.code_block = (tokens, index, options, env, self) =>
    code(tokens, index, options, env, self).replace('<pre>', '<pre tabindex="0">');
  return { html: markdown.render(page.source), headings };
}

/** Finds headings of all guides by their words, without a server: the list of headings stands in the page. */
function searchScript(index) {
  const list = JSON.stringify(index).replaceAll('<', '\\u003c');
  return `(function(){'use strict';
var index=${list},box=document.querySelector('[data-find]'),found=document.querySelector('[data-found]'),pages=document.querySelector('[data-pages]');
box.closest('label').hidden=false;
box.addEventListener('input',function(){
var words=box.value.toLowerCase().split(/\\s+/).filter(Boolean);found.replaceChildren();found.hidden=words.length===0;pages.hidden=words.length>0;
if(words.length===0)return;
var hits=index.filter(function(entry){var text=(entry[0]+' '+entry[1]).toLowerCase();return words.every(function(word){return text.includes(word)})}).slice(0,20);
if(hits.length===0){var none=document.createElement('li');none.textContent='No heading has these words.';found.append(none)}
hits.forEach(function(entry){var item=document.createElement('li'),link=document.createElement('a'),small=document.createElement('small');
link.href=entry[2];link.textContent=entry[0]||entry[1];small.textContent=entry[0]?entry[1]:'';link.append(small);item.append(link);found.append(item)})})})();`;
}

function wrap(page, html, pages, api, script) {
  const links = [...pages.values()].map((other) => {
    const current = other.path === page.path ? ' aria-current="page"' : '';
    return `<li><a href="${pageOf(other.path)}"${current}>${escapeHtml(titleOf(other.path, other.source))}</a></li>`;
  });
  if (api) links.push('<li><a href="api/index.html">Library reference</a></li>');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' data: file:; style-src 'unsafe-inline'; script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'; base-uri 'none'; form-action 'none'">
<title>${escapeHtml(titleOf(page.path, page.source))} - Parallax</title><style>${STYLE}</style></head>
<body><a class="skip" href="#main">Skip to the content</a>
<div class="page"><nav aria-label="Pages"><label hidden>Find a heading<input type="search" data-find></label><ul class="found" data-found hidden aria-live="polite"></ul><ul data-pages>${links.join('')}</ul></nav><main id="main">${html}</main></div><script>${script}</script></body></html>
`;
}

function buildReference(out) {
  execFileSync(
    process.execPath,
    [
      join(root, 'node_modules', 'typedoc', 'bin', 'typedoc'),
      '--entryPoints',
      'src/index.ts',
      '--tsconfig',
      'src/tsconfig.json',
      '--out',
      out,
      '--name',
      'Parallax library',
      '--readme',
      'none',
      '--disableSources',
      '--skipErrorChecking',
      '--hideGenerator',
      '--logLevel',
      'Error',
    ],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
  );
  // From file:// a browser loads no picture out of another file, and says so once an icon: put the icons into each page.
  const icons = readFileSync(join(out, 'assets', 'icons.svg'), 'utf8').replace(
    '<svg ',
    '<svg style="display:none" aria-hidden="true" ',
  );
  for (const name of readdirSync(out, { recursive: true })) {
    if (!name.endsWith('.html')) continue;
    const file = join(out, name);
    const depth = '../'.repeat(name.split(sep).length - 1);
    const html = readFileSync(file, 'utf8')
      .replace(/href="[./]*assets\/icons\.svg#/g, 'href="#')
      .replace(/<script[^>]*assets\/icons\.js"[^>]*><\/script>/, '')
      // The way back to the guides.
      .replace(
        /(<a [^>]*class="title"[^>]*>[^<]*<\/a>)/,
        `$1<a href="${depth}../index.html" style="margin-left:1.5rem">Guides</a>`,
      )
      .replace('</body>', `${icons}</body>`);
    writeFileSync(file, html);
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const problems = buildDocs();
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.stdout.write(
    `${relative(root, join(root, 'docs', 'site', 'index.html'))
      .split(sep)
      .join('/')}\n`,
  );
  if (problems.length > 0) process.exitCode = 1;
}
