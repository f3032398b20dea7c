import type { ComputerProtocol } from '../../model/model-client.ts';
import { ANTHROPIC } from './anthropic.ts';
import { GOOGLE } from './google.ts';
import { OPENAI } from './openai.ts';
import type { Protocol } from './protocol.ts';

/** Computer-use protocols by name. */
export const PROTOCOLS: Readonly<Record<ComputerProtocol, Protocol>> = {
  openai: OPENAI,
  anthropic: ANTHROPIC,
  google: GOOGLE,
};
