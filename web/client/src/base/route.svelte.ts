// SPDX-License-Identifier: AGPL-3.0-or-later
// Addresses and the pages they show. A page is a dynamic import, so that its code comes when it is first opened.
import type { Component } from 'svelte';
import { loadArea, type Area } from './text';

type Load = () => Promise<{ default: Component<any> }>; // eslint-disable-line -- every page has parameters of its own
export interface Screen { component: Component<any>; params: Record<string, string>; path: string; search: string; key: string; pattern: string }
export interface Route { pattern: string; load: Load; areas?: readonly Area[]; first?: readonly string[] }
interface Known extends Route { expression: RegExp; names: string[] }

export const route = $state<{ screen: Screen | null; failed: boolean }>({ screen: null, failed: false });

let table: Known[] = [];
let current = 0;

// "/@:acct/:status": a part that begins with a colon takes everything up to the next slash. Feeds are the server's.
export function compiled(pattern: string): { expression: RegExp; names: string[] } {
  const names = [...pattern.matchAll(/:(\w+)/g)].map((match) => match[1]!);
  return { names, expression: new RegExp('^(?!.*\\.(?:rss|atom)$)' + pattern.replace(/:id\b/g, '(\\d+)').replace(/:\w+/g, '([^/]+)') + '/?$') };
}

export const useRoutes = (routes: readonly Route[]): void => void (table = routes.map((one) => ({ ...one, ...compiled(one.pattern) })));

// What is no encoding of anything is taken as it stands, and the server says that it knows nothing of that.
function readable(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function match(path: string): { route: Route; params: Record<string, string> } | undefined {
  for (const one of table) {
    const found = one.expression.exec(path);
    if (found) return { route: one, params: Object.fromEntries(one.names.map((name, n) => [name, readable(found[n + 1]!)])) };
  }
  return undefined;
}

async function show(key: string): Promise<void> {
  const turn = ++current;
  const { pathname: path, search } = location;
  const found = match(path);
  if (!found) return location.reload(); // a page of the server's
  try {
    const [{ default: component }] = await Promise.all([found.route.load(), ...(found.route.areas ?? []).map(loadArea)]);
    if (turn !== current) return;
    route.screen = { component, params: found.params, path, search, key, pattern: found.route.pattern };
    route.failed = false;
  } catch {
    route.failed = true; // offline, or the server has been upgraded under us: the shell offers to reload
  }
}

const freshKey = (): string => Math.random().toString(36).slice(2);

// `at` counts the entries of the history, so that a step can be taken back.
interface Entry { key: string; at: number; inside?: boolean }
let at = 0;

export function go(path: string, replace = false): void {
  if (!match(new URL(path, location.href).pathname)) return location.assign(path);
  const key = freshKey();
  if (!replace) at++;
  history[replace ? 'replaceState' : 'pushState']({ key, at, inside: true } satisfies Entry, '', path);
  void show(key);
}

// Whatever lies over the page closes before the page changes, as Escape would have it.
function closesDialog(): boolean {
  const top = [...document.querySelectorAll('dialog:modal')].at(-1);
  return !!top && (top.dispatchEvent(new Event('cancel', { cancelable: true })), true);
}

// Back where the reader came from, or home when the page was opened from outside.
export const back = (): void => ((history.state as { inside?: boolean } | null)?.inside ? history.back() : go('/home'));

export function startRouting(): void {
  history.scrollRestoration = 'manual'; // feeds restore their own place, to the post
  const entry = (): Entry => {
    const known = history.state as Partial<Entry> & Pick<Entry, 'key'> | null; // of an older client, too
    if (known?.key) return { ...known, at: known.at ?? at };
    const made = { key: freshKey(), at };
    history.replaceState(made, '');
    return made;
  };
  let returning = false;
  addEventListener('popstate', () => {
    if (returning) return void (returning = false);
    const to = entry();
    if (to.at !== at && closesDialog()) {
      returning = true;
      return history.go(at - to.at);
    }
    at = to.at;
    void show(to.key);
  });
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]');
    if (!link || link.target || link.origin !== location.origin || link.hasAttribute('download')) return;
    if (link.hash && link.pathname === location.pathname) return;
    if (!match(link.pathname)) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
  const first = entry();
  at = first.at;
  void show(first.key);
}
