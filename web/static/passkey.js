// SPDX-License-Identifier: AGPL-3.0-or-later
// Passkeys need a script, so the pages on which they are made and shown have this one. It asks the browser and puts the
// answer into the form, which then goes its usual way.
'use strict';

const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
const text = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

async function answer(form) {
  const value = (name) => form.elements.namedItem(name)?.value ?? '';
  const challenge = bytes(value('challenge'));
  const known = value('ids').split(' ').filter(Boolean).map((id) => ({ type: 'public-key', id: bytes(id) }));
  if (form.dataset.passkey !== 'create') {
    const userVerification = form.dataset.passkey === 'alone' ? 'required' : 'discouraged';
    const publicKey = { challenge, rpId: value('host'), allowCredentials: known, userVerification };
    const { rawId, response } = await navigator.credentials.get({ publicKey });
    return { credential: rawId, client_data: response.clientDataJSON, authenticator_data: response.authenticatorData, signature: response.signature };
  }
  const person = value('person');
  const publicKey = {
    challenge,
    rp: { id: value('host'), name: form.dataset.site },
    user: { id: bytes(value('handle')), name: person, displayName: person },
    pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: known,
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    attestation: 'none',
  };
  const { rawId, response } = await navigator.credentials.create({ publicKey });
  return { credential: rawId, client_data: response.clientDataJSON, authenticator_data: response.getAuthenticatorData() };
}

for (const form of document.querySelectorAll('form[data-passkey]'))
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const problem = form.querySelector('.problem[role=alert]');
    problem.hidden = true;
    try {
      for (const [name, value] of Object.entries(await answer(form))) form.elements.namedItem(name).value = text(value);
      form.submit();
    } catch {
      problem.hidden = false;
    }
  });
