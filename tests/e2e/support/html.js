// SPDX-License-Identifier: AGPL-3.0-or-later
// What is wrong with the source of a page, where a browser would silently mend it.
import assert from 'node:assert/strict';

const empty = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
const blocks = new Set('address article aside blockquote dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 header hr li main nav ol p pre section table ul'.split(' '));
const once = new Set(['a', 'button', 'form', 'label']); // never inside themselves
const parents = { li: ['ul', 'ol'], dt: ['dl', 'div'], dd: ['dl', 'div'], summary: ['details'], option: ['select', 'optgroup'] };

export function faults(html) {
  const out = [];
  const open = [];
  const ids = new Set();
  const source = html.replace(/<!--.*?-->/gs, '');
  if (!/^<!doctype html>/i.test(source)) out.push('no doctype');
  const tags = /<(\/?)([a-z][a-z0-9]*)((?:\s+[^\s"'<>\/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>=]+))?)*)\s*(\/?)>/gi;
  let end = 0;
  for (const tag of source.matchAll(tags)) {
    const between = source.slice(end, tag.index);
    if (/<(?!!doctype)/i.test(between)) out.push(`a stray < in ${between.slice(0, 80)}`);
    if (/&(?![a-z]+\d*;|#\d+;|#x[\da-f]+;)/i.test(between)) out.push(`a bare & in ${between.trim().slice(0, 80)}`);
    end = tag.index + tag[0].length;
    const name = tag[2].toLowerCase();
    if (tag[1]) {
      if (open.at(-1) === name) open.pop();
      else out.push(`</${name}> where <${open.at(-1)}> is open`);
      continue;
    }
    const attributes = [...tag[3].matchAll(/([^\s"'=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|(\S+)))?/g)];
    const names = attributes.map(([, key]) => key.toLowerCase());
    if (new Set(names).size !== names.length) out.push(`an attribute twice in ${tag[0]}`);
    const id = attributes.find(([, key]) => key === 'id')?.[2];
    if (id !== undefined && (id === '' || ids.has(id))) out.push(`the id ${id} again`);
    ids.add(id);
    if (name === 'img' && !names.includes('alt')) out.push(`no alt in ${tag[0]}`);
    if (open.includes('p') && blocks.has(name)) out.push(`<${name}> in a <p>`);
    if (once.has(name) && open.includes(name)) out.push(`<${name}> in a <${name}>`);
    if (parents[name] && !parents[name].includes(open.at(-1))) out.push(`<${name}> in a <${open.at(-1)}>`);
    const whole = empty.has(name) || (tag[4] && open.includes('svg'));
    if (!whole) open.push(name);
  }
  if (open.length) out.push(`never closed: ${open.join(' ')}`);
  return out;
}

export const valid = (html, what) => assert.deepEqual(faults(html), [], what);
