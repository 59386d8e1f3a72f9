import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { LETTER_WIDTHS } from './charts/text-width.ts';
import { scriptJson } from './html.ts';

/**
 * What every page does in the browser: the theme button, opening whatever a link leads into, and the words a chart's
 * marks carry, under the pointer and under the arrow keys. A page without scripts lacks nothing but these.
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
var said=document.createElement('div');said.className='said';said.setAttribute('role','status');document.body.append(said);
var MARK='svg [aria-roledescription][aria-label]:not(g):not(.role-axis):not(.role-legend)';
function markOf(target){return target instanceof Element?target.closest(MARK):null}
function show(mark,x,y){tip.textContent=mark.getAttribute('aria-label');tip.hidden=false;
var box=tip.getBoundingClientRect(),left=Math.min(x+14,innerWidth-box.width-8),top=y+18;
if(top+box.height>innerHeight)top=y-box.height-12;tip.style.left=Math.max(4,left)+'px';tip.style.top=top+'px'}
function hide(){tip.hidden=true}
var touched=null,touch=false;
document.addEventListener('pointerdown',function(event){touch=event.pointerType==='touch'},true);
document.addEventListener('pointermove',function(event){if(event.pointerType==='touch')return;var mark=markOf(event.target);
if(mark)show(mark,event.clientX,event.clientY);else hide()});
document.addEventListener('click',function(event){if(!touch)return;var mark=markOf(event.target),words=mark&&mark.getAttribute('aria-label');
if(mark&&touched!==words){event.preventDefault();event.stopPropagation();touched=words;show(mark,event.clientX,event.clientY)}else{touched=null;hide()}},true);
function showAt(mark){var box=mark.getBoundingClientRect();show(mark,box.left+box.width/2,box.top+box.height/2)}
addEventListener('scroll',function(){var mark=document.querySelector('.draw:focus .at');if(mark)showAt(mark);else if(touch)hide()},{passive:true});
document.querySelectorAll('.draw').forEach(function(place){
place.tabIndex=0;place.setAttribute('role','group');place.setAttribute('aria-label','Chart: arrow keys move over its marks, Enter leads to the estimate');
place.querySelectorAll('a').forEach(function(link){link.setAttribute('tabindex','-1')});
var at=-1;
function go(step){var marks=place.querySelectorAll(MARK);if(marks.length===0)return;
place.querySelectorAll('.at').forEach(function(mark){mark.classList.remove('at')});
at=step==='first'?0:step==='last'?marks.length-1:(at+step+marks.length)%marks.length;
var mark=marks[at];mark.classList.add('at');showAt(mark);said.textContent=mark.getAttribute('aria-label')}
place.addEventListener('keydown',function(event){var step={ArrowRight:1,ArrowDown:1,ArrowLeft:-1,ArrowUp:-1,Home:'first',End:'last'}[event.key];
if(step!==undefined){event.preventDefault();go(at<0&&step===-1?'last':step)}
else if(event.key==='Enter'){var mark=place.querySelector('.at');if(mark){touch=false;var box=mark.getBoundingClientRect();
mark.dispatchEvent(new MouseEvent('click',{bubbles:true,cancelable:true,clientX:box.left+box.width/2,clientY:box.top+box.height/2}))}}
else if(event.key==='Escape')hide()});
place.addEventListener('blur',function(){hide();at=-1;place.querySelectorAll('.at').forEach(function(mark){mark.classList.remove('at')})})});
})();`;

/**
 * Brings a drawn chart to life when a pointer or the focus first enters it, or when something is chosen above it. The
 * drawing stays when anything goes wrong. A moment later than the pointer, so that its first move still meets the mark it
 * entered. Letters are measured as on the server, so that nothing moves.
 */
const LIVE_SCRIPT = `(function(){
'use strict';
var letters=${scriptJson(LETTER_WIDTHS)}.map(function(entry){return[new RegExp(entry[0],'u'),entry[1]]});
vega.textMetrics.width=function(item,text){var width=0;
if(text!==null&&text!==undefined)Array.from(String(text)).forEach(function(mark){width+=letters.find(function(entry){return entry[0].test(mark)})[1]*(item.fontSize||11)});
return item.limit!==undefined&&item.limit>0?Math.min(width,item.limit):width};
var views=new WeakMap();
function wake(place){
if(views.has(place))return views.get(place);
var source=document.querySelector('script[data-spec="'+place.getAttribute('data-chart')+'"]');if(!source)return Promise.resolve(null);
var made;
try{var all=JSON.parse(source.textContent),spec=all[place.classList.contains('narrow')?'narrow':'wide'];if(all.data)spec.data=all.data;
var no=function(){return Promise.reject(new Error('no network'))};
var view=new vega.View(vega.parse(spec,null,{ast:true}),{expr:vegaInterpreter.expressionInterpreter,renderer:'svg',hover:true,logLevel:vega.Error,loader:{load:no,sanitize:function(uri){return String(uri).charAt(0)==='#'?Promise.resolve({href:String(uri)}):no()}}});
var holder=document.createElement('div');
view.tooltip(function(){});view.initialize(holder);
made=view.runAsync().then(function(){place.replaceChildren(holder);place.setAttribute('data-alive','');return view},function(){return null})}
catch(error){void error;made=Promise.resolve(null)}
views.set(place,made);return made}
document.querySelectorAll('.draw[data-chart]').forEach(function(place){
place.addEventListener('pointerenter',function(){setTimeout(wake,0,place)},{once:true});
place.addEventListener('focus',function(){wake(place)},{once:true})});
document.querySelectorAll('select[data-choose]').forEach(function(select){
select.closest('.choose').hidden=false;
select.addEventListener('change',function(){var chosen=select.value===''?null:JSON.parse(select.value);
document.querySelectorAll('.draw[data-chart="'+select.getAttribute('data-choose')+'"]').forEach(function(place){
wake(place).then(function(view){if(view)view.signal('chosen',chosen).runAsync()})})})})})();`;

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
