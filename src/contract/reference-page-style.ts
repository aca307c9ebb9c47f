/**
 * The style of the reference page: two colour schemes with the same names. It fetches nothing.
 */

/** The colours of the dark scheme. The system or the reader can choose it. */
const DARK = `
  --ground: #111413;
  --panel: #171b1a;
  --side: #141817;
  --line: #272d2b;
  --ink: #e7ebe9;
  --soft: #a4ada9;
  --faint: #77817d;
  --accent: #5fd0b8;
  --accent-ground: #17322c;
  --code-ground: #202625;
  --well: #0b0e0d;
  --well-ink: #cfdad6;
  --well-line: #27302d;
  --get: #6ad6be;
  --post: #f0b667;
  --delete: #ff9b9b;
  --get-ground: #14302a;
  --post-ground: #35270f;
  --delete-ground: #3a1a1c;
`.trim();

export const pageStyle = `
:root {
  color-scheme: light dark;
  --ground: #fbfbf9;
  --panel: #ffffff;
  --side: #f4f4f0;
  --line: #e4e3dc;
  --ink: #1c1d1a;
  --soft: #5d5f57;
  --faint: #8b8d84;
  --accent: #0b6e5f;
  --accent-ground: #e2f1ec;
  --code-ground: #f1f0ea;
  --well: #16211f;
  --well-ink: #dce7e3;
  --well-line: #27393540;
  --get: #0b6e5f;
  --post: #8a4b08;
  --delete: #a3262f;
  --get-ground: #dff1ec;
  --post-ground: #fbead2;
  --delete-ground: #fbe0e0;
}
@media (prefers-color-scheme: dark) {
  :root:not([data-scheme=light]) {
    ${DARK}
  }
}
:root[data-scheme=dark] {
  color-scheme: dark;
  ${DARK}
}
:root[data-scheme=light] { color-scheme: light; }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1.5rem; }
@media (prefers-reduced-motion: reduce) {
  html { scroll-behavior: auto; }
}
body {
  margin: 0;
  background: var(--ground);
  color: var(--ink);
  font: 15px/1.6 ui-sans-serif, system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif;
}
code, pre, kbd, .path {
  font-family: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono",
    monospace;
}
code {
  font-size: .86em;
  background: var(--code-ground);
  border-radius: 4px;
  padding: .1em .35em;
  overflow-wrap: anywhere;
}
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.frame { display: grid; grid-template-columns: 19rem minmax(0, 1fr); min-height: 100vh; }

aside {
  position: sticky;
  top: 0;
  height: 100vh;
  overflow-y: auto;
  scrollbar-width: thin;
  scrollbar-color: var(--line) transparent;
  background: var(--side);
  border-right: 1px solid var(--line);
  padding: 1.4rem 1rem 3rem;
}
.brand {
  display: flex;
  align-items: center;
  justify-content: space-between;
  margin: 0 .4rem 1rem;
  font-weight: 650;
  letter-spacing: -.01em;
  font-size: 1.05rem;
}
.brand svg {
  width: 1.5rem;
  height: 1.5rem;
  vertical-align: -.4rem;
  margin-right: .5rem;
  color: var(--accent);
}
.scheme {
  border: 1px solid var(--line);
  background: none;
  color: var(--soft);
  border-radius: 6px;
  font: inherit;
  font-size: .75rem;
  font-weight: 400;
  padding: .15rem .5rem;
  cursor: pointer;
}
.search { position: relative; margin: 0 .2rem 1rem; }
.search input {
  width: 100%;
  font: inherit;
  color: var(--ink);
  background: var(--panel);
  border: 1px solid var(--line);
  border-radius: 8px;
  padding: .45rem 2rem .45rem .7rem;
}
.search kbd {
  position: absolute;
  right: .55rem;
  top: .55rem;
  font-size: .72rem;
  line-height: 1.3;
  color: var(--faint);
  border: 1px solid var(--line);
  border-radius: 4px;
  padding: 0 .35rem;
}
nav h2 {
  font-size: .7rem;
  letter-spacing: .07em;
  text-transform: uppercase;
  color: var(--faint);
  margin: 1.2rem .5rem .3rem;
  font-weight: 600;
}
nav a {
  display: flex;
  align-items: baseline;
  gap: .55rem;
  color: var(--soft);
  padding: .24rem .5rem;
  border-radius: 6px;
  font-size: .86rem;
  line-height: 1.35;
}
nav a:hover { background: var(--code-ground); color: var(--ink); text-decoration: none; }
nav small { color: var(--faint); font-size: .9em; }
nav a.here, nav a.here small { background: var(--accent-ground); color: var(--accent); }
nav .none { color: var(--faint); padding: .5rem; font-size: .86rem; }
.method {
  font: 600 .64rem/1.5 ui-monospace, Menlo, Consolas, monospace;
  letter-spacing: .03em;
  border-radius: 4px;
  padding: .08rem .35rem;
  flex: none;
}
nav .method { min-width: 2.6rem; text-align: center; }
.GET { color: var(--get); background: var(--get-ground); }
.POST { color: var(--post); background: var(--post-ground); }
.DELETE { color: var(--delete); background: var(--delete-ground); }

main { padding: 3rem clamp(1.2rem, 3.2vw, 3.5rem) 6rem; max-width: 98rem; }
h1 { font-size: 2.1rem; letter-spacing: -.025em; line-height: 1.2; margin: 0 0 .6rem; }
.lead { color: var(--soft); max-width: 46rem; margin: 0 0 2rem; font-size: 1.02rem; }
.cards {
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr));
  gap: 1rem;
  margin-bottom: 1rem;
}
.card {
  background: var(--panel);
  border: 1px solid var(--line);
  border-radius: 12px;
  padding: 1.1rem 1.25rem;
  min-width: 0;
}
.card h3 { margin: 0 0 .4rem; font-size: .95rem; }
.card p { margin: .3rem 0 0; color: var(--soft); font-size: .9rem; }
.group > h2 { font-size: 1.4rem; letter-spacing: -.015em; margin: 3.6rem 0 .1rem; }
.group > p { color: var(--soft); margin: 0 0 1.2rem; }
.endpoint {
  border-top: 1px solid var(--line);
  padding: 2rem 0 1.2rem;
  display: grid;
  grid-template-columns: minmax(0, 1.28fr) minmax(0, 1fr);
  gap: 2.2rem;
}
.endpoint > * { min-width: 0; }
.endpoint h3 { margin: 0 0 .5rem; font-size: 1.13rem; letter-spacing: -.01em; line-height: 1.35; }
.endpoint h3 a { color: inherit; }
.path {
  display: flex;
  align-items: center;
  gap: .6rem;
  font-size: .9rem;
  flex-wrap: wrap;
  overflow-wrap: anywhere;
}
.path .method { font-size: .74rem; }
.facts {
  display: flex;
  flex-wrap: wrap;
  gap: .4rem;
  margin: .9rem 0 1.2rem;
  padding: 0;
  list-style: none;
  font-size: .8rem;
  color: var(--soft);
}
.facts li {
  border: 1px solid var(--line);
  border-radius: .85rem;
  padding: .06rem .7rem;
  background: var(--panel);
}
.facts b { font-weight: 600; color: var(--ink); }
h4 {
  font-size: .72rem;
  letter-spacing: .07em;
  text-transform: uppercase;
  color: var(--faint);
  margin: 1.6rem 0 .3rem;
}
dl { margin: 0; }
.field { border-top: 1px solid var(--line); padding: .55rem 0; }
.field dt { display: flex; flex-wrap: wrap; align-items: baseline; gap: .2rem .6rem; }
.field dt code { background: none; padding: 0; font-weight: 600; font-size: .86rem; }
.field .type { color: var(--faint); font-size: .78rem; }
.field .must { color: var(--post); font-size: .72rem; }
.field dd { margin: .1rem 0 0; color: var(--soft); font-size: .88rem; }
.values { display: flex; flex-wrap: wrap; gap: .25rem; margin-top: .3rem; }
details summary { cursor: pointer; color: var(--accent); font-size: .86rem; padding: .35rem 0; }
.samples { position: sticky; top: 1.5rem; align-self: start; }
.well {
  background: var(--well);
  color: var(--well-ink);
  border: 1px solid var(--well-line);
  border-radius: 12px;
  margin-bottom: 1rem;
  overflow: hidden;
}
.well header {
  display: flex;
  justify-content: space-between;
  align-items: center;
  padding: .4rem .5rem .4rem .95rem;
  font-size: .75rem;
  color: #8fa39c;
  border-bottom: 1px solid #ffffff14;
}
.well button {
  font: inherit;
  color: inherit;
  background: none;
  border: 0;
  border-radius: 5px;
  padding: .15rem .5rem;
  cursor: pointer;
}
.well button:hover { background: #ffffff18; color: #fff; }
.well pre {
  margin: 0;
  padding: .85rem .95rem;
  overflow: auto;
  max-height: 23rem;
  font-size: .785rem;
  line-height: 1.55;
  tab-size: 2;
  scrollbar-width: thin;
  scrollbar-color: #4a5d57 transparent;
}
table { border-collapse: collapse; width: 100%; font-size: .86rem; }
.scroll { overflow-x: auto; }
th {
  text-align: left;
  font-size: .72rem;
  letter-spacing: .05em;
  text-transform: uppercase;
  color: var(--faint);
  font-weight: 600;
}
th, td { border-bottom: 1px solid var(--line); padding: .4rem .9rem .4rem 0; vertical-align: top; }
td:first-child { white-space: nowrap; }
[hidden] { display: none !important; }
@media (max-width: 72rem) {
  .endpoint { grid-template-columns: minmax(0, 1fr); gap: 1rem; }
  .samples { position: static; }
}
@media (max-width: 52rem) {
  .frame { grid-template-columns: minmax(0, 1fr); }
  aside {
    position: static;
    height: auto;
    border-right: 0;
    border-bottom: 1px solid var(--line);
    padding-bottom: 1rem;
  }
  nav { max-height: 15rem; overflow-y: auto; }
  main { padding-top: 2rem; }
}
@media print {
  aside, .well button { display: none; }
  .frame { display: block; }
  .endpoint { break-inside: avoid; }
}
`;
