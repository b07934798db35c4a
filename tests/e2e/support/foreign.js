// SPDX-License-Identifier: AGPL-3.0-or-later
// Pages of others, beside the server: of the same site (another port of localhost), of another site (127.0.0.1), and what
// they try.
import { createServer } from 'node:http';

export async function startForeign() {
  const heard = []; // what pages of ours, or answers, have led to here
  const server = createServer((request, response) => {
    if (request.url !== '/page' && request.url !== '/favicon.ico') heard.push(`${request.method} ${request.url}`);
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.end('<!doctype html><title>A page of others</title><body><iframe name="target"></iframe><iframe sandbox="allow-scripts" srcdoc="<p>of no origin</p>"></iframe>');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const { port } = server.address();
  return {
    heard,
    sameSite: `http://localhost:${port}`,
    otherSite: `http://127.0.0.1:${port}`,
    close: () => (server.closeAllConnections(), server.close()),
  };
}

// Requests by fetch, one after the other: their statuses, or "blocked" where the browser lets nothing be read.
export const fetched = (frame, requests) =>
  frame.evaluate(async (all) => {
    const out = [];
    for (const { url, ...options } of all) {
      try {
        const answer = await fetch(url, options);
        out.push(answer.type === 'opaque' ? 'opaque' : answer.status);
      } catch {
        out.push('blocked');
      }
    }
    return out;
  }, requests);

// A form, sent into a frame of the page (or where `target` says), as somebody would be made to send it.
export const submitted = (page, forms, target = 'target') =>
  page.evaluate(
    async ({ all, into }) => {
      for (const { action, method = 'post', enctype = 'application/x-www-form-urlencoded', fields } of all) {
        const form = Object.assign(document.createElement('form'), { action, method, enctype, target: into });
        for (const [name, value] of Object.entries(fields)) form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
        document.body.append(form);
        const frame = document.querySelector(`iframe[name="${into}"]`);
        const loaded = frame && new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
        form.submit();
        await loaded;
      }
    },
    { all: forms, into: target },
  );

// How elements that load something fare: "loaded" or "refused".
export const embedded = (page, elements) =>
  page.evaluate(
    (all) =>
      Promise.all(
        all.map(
          ([tag, url]) =>
            new Promise((resolve) => {
              const element = document.createElement(tag);
              element.onload = () => resolve('loaded');
              element.onerror = () => resolve('refused');
              if (tag === 'link') element.rel = 'stylesheet';
              element[{ link: 'href', object: 'data' }[tag] ?? 'src'] = url;
              document.body.append(element);
            }),
        ),
      ),
    elements,
  );

// A socket of streaming: "open", or "refused".
export const socketOpens = (frame, url, protocols) =>
  frame.evaluate(
    ({ to, with_ }) =>
      new Promise((resolve) => {
        const socket = new WebSocket(to, with_);
        socket.onopen = () => (socket.close(), resolve('open'));
        socket.onerror = () => resolve('refused');
      }),
    { to: url.replace(/^http/, 'ws') + '/api/v1/streaming', with_: protocols },
  );

// Server-sent events: "open", or "refused".
export const eventsOpen = (frame, url) =>
  frame.evaluate(
    (to) =>
      new Promise((resolve) => {
        const source = new EventSource(to, { withCredentials: true });
        source.onopen = () => (source.close(), resolve('open'));
        source.onerror = () => (source.close(), resolve('refused'));
      }),
    url + '/api/v1/streaming/user',
  );
