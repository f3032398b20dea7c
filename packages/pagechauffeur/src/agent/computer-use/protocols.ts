import type { ComputerProtocol } from '../../model/model-client.ts';
import { ANTHROPIC } from './anthropic.ts';
import { GOOGLE } from './google.ts';
import { OPENAI } from './openai.ts';
import type { Protocol } from './protocol.ts';

/** How models use a computer, by the names of the protocols. */
export const PROTOCOLS: Readonly<Record<ComputerProtocol, Protocol>> = {
  openai: OPENAI,
  anthropic: ANTHROPIC,
  google: GOOGLE,
};
