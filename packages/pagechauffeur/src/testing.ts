/**
 * Models for tests. `ScriptedModel` returns responses from a script. `RecordingModel` records the calls of a real model
 * and replays them.
 * @module
 */
export { refOf, ScriptedModel } from './model/scripted-model.ts';
export type { AnswerFunction, LineQuery, ScriptedAnswer, ScriptedModelOptions } from './model/scripted-model.ts';
export { RecordingModel } from './model/recording-model.ts';
export type { RecordingModelOptions } from './model/recording-model.ts';
