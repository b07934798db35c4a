// SPDX-License-Identifier: AGPL-3.0-or-later
import { mount } from 'svelte';
import App from './app/App.svelte';
import './app/app.css';
import { startSession } from './app/session';

const target = document.getElementById('app')!;
void startSession().then((ready) => ready && mount(App, { target }));
