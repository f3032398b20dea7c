import type { LanguageModelObject } from './model-configuration.ts';

/** What the protocol of a provider takes in a conversation. */
export interface ProviderTraits {
  /** The result of a tool may hold pictures. Otherwise they follow in a message of the user. */
  readonly takesImagesInResults: boolean;
  /** A signed answer is refused once a message before it has changed. */
  readonly bindsOriginals: boolean;
}

/** By the provider's id in the AI SDK; the first that matches counts. */
const TRAITS: readonly (readonly [RegExp, ProviderTraits])[] = [
  [/^(?:openai|azure)\.responses$/, { takesImagesInResults: true, bindsOriginals: false }],
  [/(?:^|\.)anthropic\.messages$/, { takesImagesInResults: true, bindsOriginals: true }],
  [/^google\b.*\.(?:generative-ai|interactions)$/, { takesImagesInResults: true, bindsOriginals: false }],
  // The tool message of chat completions is text. The AI SDK would write a picture there as JSON.
  [/\.chat$/, { takesImagesInResults: false, bindsOriginals: false }],
];

/** Safe everywhere: every protocol has pictures in messages of the user. */
const OTHERS: ProviderTraits = { takesImagesInResults: false, bindsOriginals: true };

/** The traits of a model's provider. */
export function providerTraits({ provider, specificationVersion }: LanguageModelObject): ProviderTraits {
  const [, traits = OTHERS] = TRAITS.find(([id]) => id.test(provider)) ?? [];
  // Packages of older specifications know other parts in results, and drop those of today.
  return specificationVersion === 'v4' ? traits : { ...traits, takesImagesInResults: false };
}
