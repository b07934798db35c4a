// SPDX-License-Identifier: AGPL-3.0-or-later
/// <reference lib="webworker" />
// The worker: a start without waiting for the server, files of a version for as long as a tab uses it, pictures, push.
// In front of this text the server writes which version it belongs to.
export {};
const worker = self as unknown as ServiceWorkerGlobalScope & { dunlin?: { version: string; files: string[] } };
const version = worker.dunlin?.version ?? 'none';
const base = `/web/${version}/`;
const own = 'dunlin-' + version;
const pictures = 'dunlin-pictures';
const mostPictures = 500;

interface Table { entry: string; style: string; languages: Record<string, string[]>; routes: { path: string; files: string[] }[] }
let patterns: RegExp[] | undefined;

async function table(): Promise<Table> {
  const cached = await caches.match(base + 'routes.json');
  return (await (cached ?? (await fetch(base + 'routes.json'))).json()) as Table;
}

async function isOurs(path: string): Promise<boolean> {
  patterns ??= (await table()).routes.map((one) => new RegExp('^(?!.*\\.(?:rss|atom)$)' + one.path.replace(/:\w+/g, '[^/]+') + '/?$'));
  return patterns.some((one) => one.test(path));
}

worker.addEventListener('install', (event) =>
  event.waitUntil(
    (async () => {
      const cache = await caches.open(own);
      const known = worker.dunlin?.files ?? [];
      const core = known.filter((name) => /^(main|shared|HomePage|core\.en)\.(js|css)$/.test(name));
      await cache.addAll(['/web/shell', base + 'routes.json', ...core.map((name) => base + name)]);
    })(),
  ),
);

worker.addEventListener('activate', (event) =>
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name.startsWith('dunlin-') && name !== own && name !== pictures) await caches.delete(name);
      await worker.clients.claim();
    })(),
  ),
);

async function page(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  if (!(await isOurs(pathname)) || searchParams.has('plain')) return fetch(request);
  return (await caches.match('/web/shell', { cacheName: own })) ?? fetch(request);
}

async function file(request: Request): Promise<Response> {
  const cached = await caches.match(request);
  if (cached) return cached;
  const answer = await fetch(request);
  if (answer.ok && request.url.includes(base)) await (await caches.open(own)).put(request, answer.clone());
  return answer;
}

// Least recently used: what is asked for again goes to the end.
async function picture(request: Request): Promise<Response> {
  const cache = await caches.open(pictures);
  const cached = await cache.match(request);
  if (cached) {
    await cache.delete(request);
    await cache.put(request, cached.clone());
    return cached;
  }
  const answer = await fetch(request);
  if (answer.ok && Number(answer.headers.get('Content-Length') ?? 0) < 300_000) {
    await cache.put(request, answer.clone());
    const all = await cache.keys();
    for (const old of all.slice(0, Math.max(0, all.length - mostPictures))) await cache.delete(old);
  }
  return answer;
}

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (request.mode === 'navigate') event.respondWith(page(request).catch(() => fetch(request)));
  else if (/^\/web\/[0-9a-f]{12}\//.test(url.pathname)) event.respondWith(file(request));
  else if (request.destination === 'image' && /^\/static\/|^\/media\/(avatars|headers|emoji)|_small\./.test(url.pathname)) event.respondWith(picture(request));
});

worker.addEventListener('message', (event) => {
  if (event.data === 'skip') void worker.skipWaiting();
});

interface Push { notification_id: number | string; notification_type: string; icon?: string; title: string; body: string; preferred_locale?: string }
interface Shown { id: string; account: { acct: string }; status?: { id: string; account: { acct: string } } | null }

worker.addEventListener('push', (event) => {
  let push: Push;
  try {
    push = event.data!.json() as Push;
  } catch {
    return;
  }
  const options = { body: push.body, icon: push.icon ?? '/static/icons/192.png', badge: '/static/icons/96.png', tag: String(push.notification_id), lang: push.preferred_locale ?? '', data: push };
  event.waitUntil(worker.registration.showNotification(push.title, options));
});

// Where a notification leads: the post it is about, or the person; and which account of this browser was told.
async function target(id: string): Promise<{ go: string; as?: string }> {
  try {
    const { accounts } = (await (await fetch('/web/start?for=/settings')).json()) as { accounts: { id: string; proof: string }[] };
    for (const one of accounts) {
      const answer = await fetch('/api/v1/notifications/' + id, { headers: { Authorization: 'Session ' + one.proof } });
      if (!answer.ok) continue;
      const shown = (await answer.json()) as Shown;
      return { go: shown.status ? `/@${shown.status.account.acct}/${shown.status.id}` : '/@' + shown.account.acct, as: one.id };
    }
  } catch {
    // Without a net, or signed out: the page says so.
  }
  return { go: '/notifications' };
}

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const push = event.notification.data as Push | undefined;
  event.waitUntil(
    (async () => {
      const to = push ? await target(String(push.notification_id)) : { go: '/notifications' };
      const [tab] = await worker.clients.matchAll({ type: 'window' });
      if (!tab) return void (await worker.clients.openWindow(to.go + ('as' in to ? '?as=' + to.as : '')));
      await tab.focus().catch(() => undefined); // a browser may refuse: the tab shows it nevertheless
      tab.postMessage(to);
    })(),
  );
});
