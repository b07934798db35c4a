// SPDX-License-Identifier: AGPL-3.0-or-later
// The only file that calls fetch for the API. Paths are those of the API; types are those of its entities.

export interface Page<T> {
  items: T[];
  older?: string; // the path and query of the next page, out of the Link header
}

export class ApiError extends Error {
  constructor(readonly status: number, message: string, readonly retryAfter?: number) {
    super(message);
  }
}

let authorization = document.querySelector<HTMLMetaElement>('meta[name=dunlin-authorization]')?.content ?? '';
let ended: () => void = () => {};

export const credential = (): string => authorization;
export const useCredential = (value: string): void => void (authorization = value);
export const whenSessionEnds = (listener: () => void): void => void (ended = listener);

// Answers the server has sent along with the page: each serves one request, and after that the network is asked.
let answers: Record<string, { body: unknown; link?: string }> = {};
export const useAnswers = (given: typeof answers): void => void (answers = given);

function given(path: string): { body: unknown; link?: string } | undefined {
  const found = answers[path];
  if (found) delete answers[path];
  return found;
}

type Body = object | FormData | undefined;

export async function send(method: string, path: string, body?: Body, options: { signal?: AbortSignal; key?: string } = {}): Promise<Response> {
  const headers: Record<string, string> = {};
  if (authorization) headers['Authorization'] = authorization;
  const form = body instanceof FormData;
  if (body && !form) headers['Content-Type'] = 'application/json';
  if (options.key) headers['Idempotency-Key'] = options.key;
  const answer = await fetch(path, { method, headers, body: form ? body : body && JSON.stringify(body), signal: options.signal ?? null });
  if (answer.ok) return answer;
  if (answer.status === 401) ended();
  const problem = (await answer.json().catch(() => ({}))) as { error?: string };
  throw new ApiError(answer.status, problem.error ?? answer.statusText, Number(answer.headers.get('Retry-After')) || undefined);
}

const read = async <T>(answer: Response): Promise<T> => (await answer.json()) as T;
export const get = async <T>(path: string, signal?: AbortSignal): Promise<T> =>
  (given(path)?.body as T | undefined) ?? read<T>(await send('GET', path, undefined, signal ? { signal } : {}));
export const post = async <T>(path: string, body?: Body, key?: string): Promise<T> => read<T>(await send('POST', path, body, key ? { key } : {}));
export const put = async <T>(path: string, body?: Body): Promise<T> => read<T>(await send('PUT', path, body));
export const patch = async <T>(path: string, body?: Body): Promise<T> => read<T>(await send('PATCH', path, body));
export const del = async <T = object>(path: string, body?: Body): Promise<T> => read<T>(await send('DELETE', path, body));

// Where somebody else of this browser gets push messages.
export async function endpointOf(credential: string): Promise<string | undefined> {
  const answer = await fetch('/api/v1/push/subscription', { headers: { Authorization: credential } });
  if (answer.status === 429 || answer.status >= 500) throw new ApiError(answer.status, answer.statusText);
  return answer.ok ? ((await answer.json()) as { endpoint: string }).endpoint : undefined;
}

export function nextOf(link: string | null): string | undefined {
  const next = /<([^>]+)>;\s*rel="next"/.exec(link ?? '')?.[1];
  if (!next) return undefined;
  const url = new URL(next, location.href);
  return url.pathname + url.search;
}

// A page that is an object with several lists in it counts as one item.
const listed = <T>(body: unknown): T[] => (Array.isArray(body) ? body : [body]) as T[];

export async function getPage<T>(path: string, signal?: AbortSignal): Promise<Page<T>> {
  const known = given(path);
  if (known) {
    const next = nextOf(known.link ?? null);
    return { items: listed<T>(known.body), ...(next && { older: next }) };
  }
  const answer = await send('GET', path, undefined, signal ? { signal } : {});
  const page: Page<T> = { items: listed<T>(await answer.json()) };
  const older = nextOf(answer.headers.get('Link'));
  if (older) page.older = older;
  return page;
}

// "a[]=1&a[]=2&b=x" of { a: [1, 2], b: 'x' }; what is undefined, null or '' is left out.
export function query(values: Record<string, string | number | boolean | null | undefined | readonly (string | number)[]>): string {
  const out = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (Array.isArray(value)) for (const one of value) out.append(name + '[]', String(one));
    else if (value !== undefined && value !== null && value !== '') out.append(name, String(value));
  }
  return out.toString();
}
