// SPDX-License-Identifier: AGPL-3.0-or-later
// HTML of posts and profiles as nodes. The server has cleaned it; this keeps nothing but what is listed here all the same,
// so that no string of somebody else's ever becomes markup. Mentions and tags lead to pages inside the client, emoji stand
// in text only. The one file that may set innerHTML, and only of a template, whose content runs and loads nothing.
import type { CustomEmoji, Mention } from './entities';

const kept = new Set(['P', 'BR', 'A', 'SPAN', 'STRONG', 'B', 'EM', 'I', 'U', 'S', 'DEL', 'CODE', 'PRE', 'BLOCKQUOTE', 'UL', 'OL', 'LI', 'RUBY', 'RT', 'RP', 'SUP', 'SUB', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6']);
const dropped = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'IFRAME', 'OBJECT', 'EMBED', 'SVG', 'MATH', 'NOSCRIPT', 'TITLE', 'TEXTAREA', 'SELECT']);
const classes = new Set(['mention', 'hashtag', 'invisible', 'ellipsis', 'h-card', 'u-url', 'quote-inline']);

type Trusted = { createHTML(text: string): string; createScriptURL(address: string): string };
const factory = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: Trusted): Trusted } }).trustedTypes;
const rules: Trusted = {
  createHTML: (html) => html,
  createScriptURL: (address) => {
    if (address !== '/sw.js') throw new TypeError('no such script');
    return address;
  },
};
const policy = factory?.createPolicy('dunlin-content', rules) ?? rules;

// The one script that is named while the page runs.
export const workerAddress = (): string => policy.createScriptURL('/sw.js');

export interface Links { mentions?: readonly Mention[]; tags?: readonly { name: string; url: string }[] }

export function emojiImage(emoji: CustomEmoji): HTMLImageElement {
  const image = document.createElement('img');
  const still = document.documentElement.dataset.motion === 'still';
  Object.assign(image, { src: still ? emoji.static_url : emoji.url, alt: `:${emoji.shortcode}:`, title: `:${emoji.shortcode}:`, className: 'emoji', loading: 'lazy', decoding: 'async', draggable: false });
  return image;
}

function text(value: string, emojis: Map<string, CustomEmoji>, to: Node): void {
  const parts = emojis.size ? value.split(/(:[a-zA-Z0-9_]{2,}:)/) : [value];
  for (const part of parts) {
    const emoji = part.length > 3 ? emojis.get(part.slice(1, -1)) : undefined;
    if (emoji) to.appendChild(emojiImage(emoji));
    else if (part) to.appendChild(document.createTextNode(part));
  }
}

function linkTo(made: HTMLAnchorElement, href: string, inside: Map<string, string>): void {
  const address = inside.get(href);
  if (address) made.setAttribute('href', address);
  else if (/^https?:\/\//i.test(href)) made.href = href;
  else return;
  if (made.origin === location.origin) return;
  made.rel = 'noopener noreferrer nofollow';
  made.target = '_blank';
}

function copy(from: Node, to: Node, emojis: Map<string, CustomEmoji>, inside: Map<string, string>): void {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) {
      text(node.nodeValue ?? '', emojis, to);
      continue;
    }
    if (!(node instanceof Element)) continue;
    const tag = node.tagName.toUpperCase();
    if (dropped.has(tag)) continue;
    if (!kept.has(tag)) {
      copy(node, to, emojis, inside);
      continue;
    }
    // A heading inside a post must not stand in the page's outline.
    const made = document.createElement(/^H\d$/.test(tag) ? 'strong' : tag);
    if (/^H\d$/.test(tag)) made.className = 'heading';
    const names = [...node.classList].filter((name) => classes.has(name));
    if (names.length) made.className = names.join(' ');
    if (made instanceof HTMLAnchorElement) linkTo(made, node.getAttribute('href') ?? '', inside);
    for (const name of ['lang', 'dir']) if (node.hasAttribute(name)) made.setAttribute(name, node.getAttribute(name) ?? '');
    copy(node, made, emojis, inside);
    to.appendChild(made);
  }
}

export function contentOf(html: string, emojis: readonly CustomEmoji[], links: Links = {}): DocumentFragment {
  const inert = document.createElement('template');
  inert.innerHTML = policy.createHTML(html);
  const fragment = document.createDocumentFragment();
  const inside = new Map<string, string>();
  for (const { url, acct } of links.mentions ?? []) inside.set(url, '/@' + acct);
  for (const { url, name } of links.tags ?? []) inside.set(url, '/tags/' + encodeURIComponent(name));
  copy(inert.content, fragment, new Map(emojis.map((emoji) => [emoji.shortcode, emoji])), inside);
  // Tags of other servers carry addresses of theirs; what is written tells which tag it is.
  for (const link of fragment.querySelectorAll<HTMLAnchorElement>('a.hashtag')) {
    const name = /^#(\S+)$/.exec(link.textContent.trim())?.[1];
    if (name) {
      link.setAttribute('href', '/tags/' + encodeURIComponent(name));
      link.removeAttribute('target');
      link.removeAttribute('rel');
    }
  }
  return fragment;
}

// The words of a piece of HTML, for labels and previews.
export function plain(html: string): string {
  const box = document.createElement('div');
  box.append(contentOf(html.replace(/<\/p>\s*<p>|<br\s*\/?>/gi, ' '), []));
  return box.textContent.trim();
}

// A short text with emoji in it: names, warnings, options of polls.
export function words(value: string, emojis: readonly CustomEmoji[]): DocumentFragment {
  const fragment = document.createDocumentFragment();
  text(value, new Map(emojis.map((emoji) => [emoji.shortcode, emoji])), fragment);
  return fragment;
}
