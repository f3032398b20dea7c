/**
 * Models for tests: one that follows a script, and one that records a real model and plays it back.
 *
 * @module
 */
export { refOf, ScriptedModel } from './model/scripted-model.ts';
export type { AnswerFunction, LineQuery, ScriptedAnswer, ScriptedModelOptions } from './model/scripted-model.ts';
export { RecordingModel } from './model/recording-model.ts';
export type { RecordingModelOptions } from './model/recording-model.ts';
