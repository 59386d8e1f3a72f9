import type { RendererPage } from './protocol.ts';
import { Session } from './session.ts';

declare global {
  interface Window {
    parallax: RendererPage;
  }
}

window.parallax = new Session();
