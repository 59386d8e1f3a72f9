import { STACK_STYLE } from '../cards/render-card-html.ts';

/**
 * The style of a report: one column of text at a readable measure, figures a little wider, a table of contents beside
 * them where there is room. Colours are custom properties, so that charts drawn on the server follow the theme; text
 * keeps at least 4.5:1 against its background in both themes and marks at least 3:1.
 */
export const REPORT_STYLE = `
:root{color-scheme:light dark;
--paper:#fdfdfc;--panel:#f5f4f1;--ink:#1b1d21;--ink-2:#565b64;--line:#e4e2dd;--line-2:#b9b6af;--link:#0b5394;--accent:#0b5394;
--warn:#8a4b00;--warn-paper:#fdf3e3;--bad:#a3262a;--good:#1d6b45;
--c0:#0b62a4;--c1:#b8501a;--c2:#0f7b5f;--c3:#8c4799;--c4:#8a6d00;--c5:#b0306a;--c6:#2f7f96;--c7:#6b6b6b;
--s0:#eef2f6;--s1:#cfdde9;--s2:#a5c1da;--s3:#6d9cc4;--s4:#3a72a6;--s5:#174c80;--s-dark:#14202c;--s-light:#ffffff}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){
--paper:#15171a;--panel:#1d2024;--ink:#e9e8e4;--ink-2:#a9adb4;--line:#2d3136;--line-2:#565c64;--link:#8cc0f0;--accent:#8cc0f0;
--warn:#f0c078;--warn-paper:#2c2416;--bad:#f29a94;--good:#86d3a8;
--c0:#6db3f2;--c1:#f09a5e;--c2:#4fc3a1;--c3:#cb9ad9;--c4:#d9b44a;--c5:#f088b4;--c6:#76cbe0;--c7:#a8a8a8;
--s0:#1f262d;--s1:#243a50;--s2:#2d5478;--s3:#4079a8;--s4:#6ba3d0;--s5:#a9d0f0;--s-dark:#ffffff;--s-light:#0d151d}}
:root[data-theme=dark]{color-scheme:dark;
--paper:#15171a;--panel:#1d2024;--ink:#e9e8e4;--ink-2:#a9adb4;--line:#2d3136;--line-2:#565c64;--link:#8cc0f0;--accent:#8cc0f0;
--warn:#f0c078;--warn-paper:#2c2416;--bad:#f29a94;--good:#86d3a8;
--c0:#6db3f2;--c1:#f09a5e;--c2:#4fc3a1;--c3:#cb9ad9;--c4:#d9b44a;--c5:#f088b4;--c6:#76cbe0;--c7:#a8a8a8;
--s0:#1f262d;--s1:#243a50;--s2:#2d5478;--s3:#4079a8;--s4:#6ba3d0;--s5:#a9d0f0;--s-dark:#ffffff;--s-light:#0d151d}
:root[data-theme=light]{color-scheme:light}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:1rem;scroll-behavior:smooth}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.6 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans","DejaVu Sans",sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:break-word}
a{color:var(--link);text-underline-offset:.15em;text-decoration-thickness:.06em}
a.n{color:inherit;text-decoration-style:dotted;text-decoration-color:var(--line-2);white-space:nowrap}
a.n:hover{color:var(--link);text-decoration-style:solid}
td a.n,dd a.n{white-space:normal}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:2px}
.skip{position:absolute;left:-999rem}.skip:focus{left:1rem;top:1rem;background:var(--paper);padding:.5rem 1rem;z-index:9}
.page{max-width:46rem;margin:0 auto;padding:2.5rem 1.1rem 5rem}
nav.contents{font-size:.9rem}
nav.contents ol{list-style:none;margin:.5rem 0 0;padding:0;columns:2}
nav.contents a{color:var(--ink-2);text-decoration:none;display:block;padding:.2rem 0}
nav.contents a:hover{color:var(--link)}
nav.contents summary{font-weight:600}
@media (min-width:70rem){
.page{max-width:66rem;display:grid;grid-template-columns:12rem minmax(0,46rem);column-gap:4rem}
.page>*{grid-column:2}
nav.contents{grid-column:1;grid-row:1/span 99;position:sticky;top:2.5rem;align-self:start;max-height:calc(100vh - 4rem);overflow:auto}
nav.contents ol{columns:1}}
header.top{border-bottom:1px solid var(--line);padding-bottom:1.5rem;margin-bottom:2rem}
.eyebrow{font-size:.78rem;letter-spacing:.08em;text-transform:uppercase;color:var(--ink-2);margin:0 0 .4rem}
h1{font-size:clamp(1.7rem,5vw,2.3rem);line-height:1.15;letter-spacing:-.018em;font-weight:680;margin:0 0 .7rem}
h2{font-size:1.4rem;line-height:1.25;letter-spacing:-.012em;font-weight:660;margin:3.4rem 0 .8rem}
h3{font-size:1.06rem;line-height:1.35;font-weight:650;margin:2rem 0 .5rem}
h4{font-size:.95rem;font-weight:650;margin:1.4rem 0 .4rem}h5{font-size:.9rem;font-weight:650;margin:1.1rem 0 .3rem}
p{margin:.6rem 0}.lead{font-size:1.06rem}.note,.limits{color:var(--ink-2);font-size:.92rem}
.toolbar{display:flex;gap:.6rem;align-items:center;flex-wrap:wrap;margin-top:1rem}
button{font:inherit;font-size:.85rem;color:var(--ink);background:var(--panel);border:1px solid var(--line-2);border-radius:.35rem;padding:.25rem .7rem;cursor:pointer;min-height:2rem}
button:hover{border-color:var(--ink-2)}
code{font:.88em/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;overflow-wrap:anywhere}
.draft{border:2px solid var(--warn);background:var(--warn-paper);color:var(--warn);padding:.7rem 1rem;border-radius:.35rem;margin:0 0 1.6rem;font-weight:600}
.draft-mark{color:var(--warn)}
.notice{border-left:3px solid var(--warn);background:var(--warn-paper);padding:.6rem .9rem;margin:1rem 0;font-size:.94rem}
ol.answers{list-style:none;counter-reset:a;margin:1.2rem 0;padding:0}
ol.answers>li{counter-increment:a;display:grid;grid-template-columns:2.1rem 1fr;padding:1.05rem 0;border-top:1px solid var(--line)}
ol.answers>li:last-child{border-bottom:1px solid var(--line)}
ol.answers>li::before{content:counter(a);font-weight:650;color:var(--ink-2);font-size:1.06rem}
ol.answers h3{margin:0 0 .25rem}ol.answers p{margin:.3rem 0}
dl{margin:.6rem 0}dl>div{display:grid;grid-template-columns:minmax(8rem,14rem) 1fr;gap:.2rem 1rem;padding:.28rem 0;border-bottom:1px solid var(--line)}
dt{color:var(--ink-2);font-size:.9rem}dd{margin:0;font-size:.92rem;overflow-wrap:anywhere}
@media (max-width:32rem){dl>div{grid-template-columns:1fr}}
.scroll{overflow-x:auto;margin:.8rem 0;max-width:100%}
table{border-collapse:collapse;font-size:.88rem;line-height:1.4;width:100%}
caption{text-align:left;color:var(--ink-2);font-size:.88rem;padding-bottom:.3rem}
th,td{text-align:left;vertical-align:top;padding:.38rem .8rem .38rem 0;border-bottom:1px solid var(--line)}
thead th{color:var(--ink-2);font-weight:550;border-bottom:1px solid var(--line-2);vertical-align:bottom}
th.num,td.num{text-align:right;white-space:nowrap}td code,th code{white-space:nowrap;overflow-wrap:normal;font-weight:400}td.num a.n{white-space:nowrap}tbody th{font-weight:550}
tr:target td,tr:target th{background:var(--warn-paper)}
figure{margin:1.6rem 0}figcaption{margin-bottom:.6rem}figcaption strong{display:block}
figcaption span{color:var(--ink-2);font-size:.92rem}
.draw{overflow-x:auto}.draw svg{display:block;max-width:none;height:auto}.draw .mark-text{pointer-events:none}.draw.narrow{display:none}
@media (max-width:47.9rem){.draw.wide{display:none}.draw.narrow{display:block}}
figure details,details.more{margin-top:.5rem;font-size:.9rem}summary{cursor:pointer;color:var(--ink-2)}summary:hover{color:var(--link)}
.choose{margin:.3rem 0 .5rem;font-size:.88rem;color:var(--ink-2)}.choose[hidden]{display:none}
select{font:inherit;color:var(--ink);background:var(--panel);border:1px solid var(--line-2);border-radius:.35rem;padding:.2rem .4rem;min-height:2rem;max-width:15rem}
.draw a{text-decoration:none}.draw .at{outline:2px solid var(--accent);outline-offset:1px}
.said{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.tip{position:fixed;z-index:8;pointer-events:none;max-width:20rem;background:var(--ink);color:var(--paper);font-size:.82rem;line-height:1.4;padding:.35rem .6rem;border-radius:.3rem;white-space:pre-line}
.strip{margin:1.2rem 0}.strip h4{margin:1.2rem 0 .5rem}
.montage{display:grid;grid-template-columns:repeat(auto-fill,minmax(8.1rem,1fr));gap:1rem .8rem;margin:0;padding:0;list-style:none}
.montage img,.montage .blank{display:block;width:100%;height:auto;aspect-ratio:1;object-fit:contain;background:var(--panel);border:1px solid var(--line);border-radius:.25rem}
.montage .level{display:block;font-size:.82rem;font-weight:600;margin-top:.3rem;line-height:1.3}
.montage .scores{display:grid;grid-template-columns:minmax(0,1fr) auto 2.6rem;gap:0 .3rem;font-size:.78rem;line-height:1.45;color:var(--ink-2);margin:.1rem 0 0}
.montage .scores>span{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.montage .scores>:not(:nth-child(3n+1)){text-align:right}.montage .scores>:nth-child(3n+2){color:var(--ink)}
.status{font-size:.78rem;font-weight:550;border:1px solid var(--line-2);border-radius:1rem;padding:.05rem .55rem;color:var(--ink-2)}
.status-withheld{color:var(--warn);border-color:var(--warn)}
.strict{color:var(--good);font-weight:600}.broken{color:var(--bad)}
article.card{border:1px solid var(--line-2);border-radius:.5rem;padding:1.1rem 1.2rem;margin:1.4rem 0;background:var(--panel)}
article.card h3{margin:0}article.card details{margin-top:.6rem}article.card summary{font-weight:650;color:var(--ink)}article.card .card-id{margin:.1rem 0;font-size:1.05rem}.digest{color:var(--ink-2);font-size:.8rem;margin:.1rem 0}
footer{margin-top:4rem;border-top:1px solid var(--line);padding-top:1rem;color:var(--ink-2);font-size:.88rem}
${STACK_STYLE}
@media print{:root{--paper:#fff;--panel:#fff;--ink:#000;--ink-2:#444;--line:#ddd;--line-2:#999}
html{font-size:10.5pt}body{font-size:1rem}.page{display:block;max-width:none;padding:0}nav.contents,.toolbar,.skip,button,.choose,.tip{display:none}
a{color:inherit;text-decoration:none}h2{break-after:avoid}figure,.montage li,article.card header,tr{break-inside:avoid}
figure details:not([open]){display:none}.scroll,.draw{overflow:visible}.draw.wide{display:block}.draw.narrow{display:none}.draw svg{max-width:100%}}
`.trim();
