import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * What every page does in the browser: the theme button, opening whatever a link leads into, tooltips from the words a
 * chart's marks carry. It needs nothing else and a page without scripts lacks nothing but these.
 */
const PAGE_SCRIPT = `(function(){
'use strict';
var root=document.documentElement,button=document.querySelector('[data-theme-button]');
function dark(){var t=root.getAttribute('data-theme');return t?t==='dark':matchMedia('(prefers-color-scheme: dark)').matches}
if(button){button.hidden=false;var label=function(){button.textContent=dark()?'Light':'Dark'};label();
button.addEventListener('click',function(){root.setAttribute('data-theme',dark()?'light':'dark');label()})}
var contents=document.querySelector('nav.contents details');
if(contents&&matchMedia('(max-width:69.9rem)').matches)contents.open=false;
function reveal(){var id=decodeURIComponent(location.hash.slice(1));if(!id)return;var target=document.getElementById(id);if(!target)return;
for(var node=target;node;node=node.parentElement)if(node.tagName==='DETAILS')node.open=true;target.scrollIntoView({block:'center'})}
addEventListener('hashchange',reveal);reveal();
addEventListener('beforeprint',function(){document.querySelectorAll('details.more').forEach(function(d){d.open=true})});
var tip=document.createElement('div');tip.className='tip';tip.hidden=true;tip.setAttribute('aria-hidden','true');document.body.append(tip);
document.addEventListener('pointermove',function(event){
var mark=event.target instanceof Element&&event.target.closest('.draw [aria-roledescription][aria-label]:not(.role-axis):not(.role-legend)');
if(!mark||mark.tagName==='g'){tip.hidden=true;return}
tip.textContent=mark.getAttribute('aria-label');tip.hidden=false;
var box=tip.getBoundingClientRect(),x=Math.min(event.clientX+14,innerWidth-box.width-8),y=event.clientY+18;
if(y+box.height>innerHeight)y=event.clientY-box.height-12;tip.style.left=Math.max(4,x)+'px';tip.style.top=y+'px'});
})();`;

/** Brings a drawn chart to life when a pointer first enters it; the drawing stays when anything goes wrong. */
const LIVE_SCRIPT = `(function(){
'use strict';
document.querySelectorAll('.draw[data-chart]').forEach(function(place){
var id=place.getAttribute('data-chart');if(!id)return;
place.addEventListener('pointerenter',function(){
var source=document.querySelector('script[data-spec="'+id+'"]');if(!source)return;
var holder=document.createElement('div');
try{var view=new vega.View(vega.parse(JSON.parse(source.textContent),null,{ast:true}),{expr:vegaInterpreter.expressionInterpreter,renderer:'svg',hover:true,logLevel:vega.Error,loader:{load:function(){return Promise.reject(new Error('no network'))},sanitize:function(){return Promise.reject(new Error('no network'))}}});
view.tooltip(function(){});view.initialize(holder);
view.runAsync().then(function(){place.replaceChildren(holder)},function(){})}catch(error){void error}
},{once:true})})})();`;

/** The scripts of a page, in order; Vega and its interpreter only when a chart can come to life. */
export function liveScripts(charts: boolean): string[] {
  return charts ? [vegaBuild(), interpreterBuild(), PAGE_SCRIPT, LIVE_SCRIPT] : [PAGE_SCRIPT];
}

function vegaBuild(): string {
  const build = packageFile('vega', 'build/vega.min.js');
  return inline(build);
}

/** The interpreter ships as a module: its exports become one global, the way Vega's own build does it. */
function interpreterBuild(): string {
  const source = packageFile('vega-interpreter', 'build/vega-interpreter.js');
  const exported = /export\s*\{([^}]*)\}\s*;?\s*(?:\/\/#.*)?\s*$/.exec(source);
  if (exported === null) throw new Error('vega-interpreter: unexpected build without an export list');
  const members = (exported[1] as string)
    .split(',')
    .map((member) => member.trim().split(/\s+as\s+/))
    .filter(([local]) => local !== '')
    .map(([local, outside]) => `${outside ?? local}:${local}`);
  const body = source
    .slice(0, exported.index)
    .replace(/^import\s*(\{[^}]*\})\s*from\s*'vega-util';/m, 'const $1=vega;');
  if (/^import\s/m.test(body)) throw new Error('vega-interpreter: unexpected import in its build');
  return inline(`var vegaInterpreter=(function(){\n${body}\nreturn {${members.join(',')}};\n})();`);
}

/** Files of a package by path: \`exports\` hides them from resolution, so the folder is found from the main entry. */
function packageFile(name: string, path: string): string {
  let folder = dirname(createRequire(import.meta.url).resolve(name));
  while (!folder.endsWith(join('node_modules', name)) && dirname(folder) !== folder) folder = dirname(folder);
  return readFileSync(join(folder, path), 'utf8');
}

function inline(source: string): string {
  const script = source.replace(/\n\/\/# sourceMappingURL=.*$/m, '');
  if (/<\/script|<!--/i.test(script)) return script.replace(/<\/script/gi, '<\\/script').replace(/<!--/g, '<\\!--');
  return script;
}
