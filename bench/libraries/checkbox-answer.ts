/** The response to `act` in the format of both Stagehand versions. */
type CheckboxAnswer = {
  readonly action: { elementId: string; description: string; method: string; arguments: string[] };
  readonly twoStep: boolean;
};

/** The instruction for a checkbox by its accessible name. */
export function checkboxInstruction(name: string): string {
  return `check the box "${name}"`;
}

/** Answers Stagehand's prompt without a model: click the checkbox that the instruction names. */
export function answerForCheckbox(messages: unknown): CheckboxAnswer {
  const prompt = JSON.stringify(messages);
  const name = /check the box \\+"(.+?)\\+"/.exec(prompt)?.[1] ?? '';
  const elementId = new RegExp(`\\[(\\d+-\\d+)\\] checkbox: ${name}\\b`).exec(prompt)?.[1];
  if (!elementId) throw new Error(`Stagehand's prompt shows no checkbox "${name}".`);
  return { action: { elementId, description: name, method: 'click', arguments: [] }, twoStep: false };
}
