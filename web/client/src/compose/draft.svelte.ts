// SPDX-License-Identifier: AGPL-3.0-or-later
// What is being written. Kept on the device half a second after a key, so that no reload, crash or outage loses it.
import { putAccount } from '../accounts/accounts.svelte';
import { ApiError, get, post, put } from '../base/api';
import type { MediaAttachment, ScheduledStatus, Status, StatusSource } from '../base/entities';
import type { Sheet } from '../base/sheets.svelte';
import { start } from '../base/start';
import { keep, recall } from '../base/store';
import { currentLanguage } from '../base/text';
import { length, named } from './count';
import { forgetDraft, indexDraft, queue } from './outbox';
import { share } from './shared';

type Visibility = Status['visibility'];
export interface PollDraft { options: string[]; seconds: number; multiple: boolean; hideTotals: boolean }
export interface Kept {
  id: string; text: string; warning: string; visibility: Visibility; language: string; sensitive: boolean; localOnly: boolean; poll: PollDraft | null;
  media: MediaAttachment[]; reply: Status | null; quote: Status | null; edit: string | null; when: string; quotePolicy: string; replyPolicy?: string; format: string; changed: string;
}

export const draftOf = (id: string): Promise<Kept | undefined> => recall<Kept>('draft:' + id);
const limits = () => start.instance.configuration;
const freshId = (): string => Date.now().toString(36) + Math.random().toString(36).slice(2, 8);
const order: Visibility[] = ['public', 'unlisted', 'private', 'direct'];
const stricter = (a: Visibility, b: Visibility): Visibility => (order.indexOf(a) > order.indexOf(b) ? a : b);

// What the last dialog still writes down, which the next one reads.
let writing: Promise<unknown> = Promise.resolve();

export class Draft {
  id = freshId();
  key = crypto.randomUUID();
  text = $state('');
  warning = $state('');
  warned = $state(false);
  visibility = $state<Visibility>(start.me.source.privacy);
  language = $state(start.me.source.language || currentLanguage());
  sensitive = $state(start.me.source.sensitive);
  localOnly = $state(false);
  poll = $state<PollDraft | null>(null);
  media = $state.raw<MediaAttachment[]>([]);
  uploads = $state(0);
  reply = $state.raw<Status | null>(null);
  quote = $state.raw<Status | null>(null);
  edit = $state<string | null>(null);
  when = $state('');
  quotePolicy = $state(start.me.source.quote_policy ?? 'public');
  replyPolicy = $state<string>(start.me.source.reply_policy ?? 'public');
  format = $state('text/plain');
  sending = $state(false);
  #saving: ReturnType<typeof setTimeout> | undefined;
  #untouched = '';
  #done = false;

  get length(): number {
    return length(this.text, limits()?.statuses.characters_reserved_per_url ?? 23) + (this.warned ? length(this.warning) : 0);
  }
  get left(): number {
    return (limits()?.statuses.max_characters ?? 500) - this.length;
  }
  get missingAlt(): boolean {
    return this.media.some((one) => !one.description && one.type !== 'audio');
  }
  get empty(): boolean {
    return !this.text.trim() && !this.media.length && !this.poll;
  }
  get changed(): boolean {
    return this.text !== this.#untouched || this.media.length > 0 || !!this.poll;
  }
  get ready(): boolean {
    const poll = !this.poll || this.poll.options.filter((one) => one.trim()).length >= 2;
    return !this.empty && this.left >= 0 && !this.uploads && !this.sending && poll;
  }

  async begin(given: Extract<Sheet, { kind: 'compose' }>): Promise<void> {
    if (given.draft) return this.#resume(await draftOf(given.draft));
    if (given.edit) return this.#change(given.edit);
    if (given.visibility) this.visibility = given.visibility;
    if (given.reply) this.#answer(given.reply);
    this.quote = given.quote ?? null;
    this.text = this.#untouched = given.text ?? this.#mentions();
    // The same reply, or the same fresh post, goes on where it was left.
    await writing;
    const last = await recall<string>('draft-for:' + this.#place());
    const kept = last ? await draftOf(last) : undefined;
    if (kept && !given.text && !given.quote && !this.changed) this.#resume(kept);
  }
  #place = (): string => this.reply?.id ?? (this.quote ? 'quote:' + this.quote.id : 'new');

  #mentions(): string {
    if (!this.reply) return '';
    const people = [this.reply.account.acct, ...this.reply.mentions.map((one) => one.acct)].filter((acct) => acct !== start.me.acct);
    return [...new Set(people)].map((acct) => `@${acct} `).join('');
  }
  #answer(status: Status): void {
    this.reply = status;
    this.visibility = stricter(status.visibility === 'limited' ? 'private' : status.visibility, this.visibility);
    if (status.visibility === 'direct') this.visibility = 'direct';
    this.language = status.language ?? this.language;
    this.localOnly = status.local_only ?? false;
    if (status.spoiler_text) [this.warned, this.warning] = [true, status.spoiler_text];
  }
  async #change(status: Status): Promise<void> {
    const source = await get<StatusSource>(`/api/v1/statuses/${status.id}/source`);
    this.edit = status.id;
    this.text = this.#untouched = source.text;
    [this.warning, this.warned] = [source.spoiler_text, !!source.spoiler_text];
    [this.visibility, this.sensitive, this.media] = [status.visibility, status.sensitive, status.media_attachments];
    this.language = status.language ?? this.language;
    if (status.poll) this.poll = { options: status.poll.options.map((one) => one.title), seconds: 86400, multiple: status.poll.multiple, hideTotals: false };
  }
  #resume(kept: Kept | undefined): void {
    if (!kept) return;
    const { id, text, warning, visibility, language, sensitive, localOnly, poll, media, reply, quote, edit, when, quotePolicy, replyPolicy, format } = kept;
    Object.assign(this, { id, text, warning, visibility, language, sensitive, localOnly, poll, media, reply, quote, edit, when, quotePolicy, format, warned: !!warning, ...(replyPolicy && { replyPolicy }) });
    if (reply) putAccount(reply.account);
  }

  kept(): Kept {
    const { id, text, warning, visibility, language, sensitive, localOnly, reply, quote, edit, when, quotePolicy, replyPolicy, format } = this;
    return { id, text, warning, visibility, language, sensitive, localOnly, poll: $state.snapshot(this.poll), media: this.media, reply, quote, edit, when, quotePolicy, replyPolicy, format, changed: new Date().toISOString() };
  }
  touch(): void {
    clearTimeout(this.#saving);
    if (!this.#done) this.#saving = setTimeout(() => void this.save(), 400);
  }
  save(): Promise<void> {
    clearTimeout(this.#saving);
    if (this.#done) return Promise.resolve();
    const done = this.changed ? this.#keep(this.kept()) : this.discard();
    writing = Promise.allSettled([writing, done]);
    return done;
  }
  async #keep(kept: Kept): Promise<void> {
    await keep('draft:' + this.id, kept);
    if (!this.edit) await keep('draft-for:' + this.#place(), this.id);
    await indexDraft(this.id);
    if (!this.edit) share(kept);
  }
  async discard(): Promise<void> {
    clearTimeout(this.#saving);
    await forgetDraft(this.id);
    await keep('draft-for:' + this.#place(), undefined);
  }

  body(): object {
    const poll = this.poll && { options: this.poll.options.filter((one) => one.trim()), expires_in: this.poll.seconds, multiple: this.poll.multiple, hide_totals: this.poll.hideTotals };
    return {
      status: this.text, spoiler_text: this.warned ? this.warning : '', language: this.language, content_type: this.format,
      sensitive: this.sensitive || (this.warned && !!this.warning), media_ids: this.media.map((one) => one.id),
      ...(poll && { poll }),
      ...(this.edit
        ? { media_attributes: this.media.map(({ id, description }) => ({ id, description: description ?? '' })) }
        : { visibility: this.visibility, quote_approval_policy: this.quotePolicy, reply_policy: this.replyPolicy, ...(this.localOnly && { local_only: true }) }),
      ...(this.reply && { in_reply_to_id: this.reply.id }),
      ...(this.quote && { quoted_status_id: this.quote.id }),
      ...(this.when && { scheduled_at: new Date(this.when).toISOString() }),
    };
  }

  // Sent again and again with the same key, a post appears once.
  async send(): Promise<Status | ScheduledStatus> {
    this.sending = true;
    const body = this.body();
    try {
      const answer = this.edit ? await put<Status>('/api/v1/statuses/' + this.edit, body) : await post<Status | ScheduledStatus>('/api/v1/statuses', body, this.key);
      this.#done = true;
      await this.discard();
      return answer;
    } catch (error) {
      await this.save();
      if (!(error instanceof ApiError) && !this.edit) await queue({ key: this.key, body, draft: this.id, place: this.#place() }).catch(() => undefined);
      throw error;
    } finally {
      this.sending = false;
    }
  }
  get readers(): string[] {
    return named(this.text);
  }
}
