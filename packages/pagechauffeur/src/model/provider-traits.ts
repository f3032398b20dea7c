import type { LanguageModelObject } from './model-configuration.ts';

/** What a provider's protocol supports in a conversation. */
export interface ProviderTraits {
  /** Tool results may contain images. Otherwise a user message after them does. */
  readonly takesImagesInResults: boolean;
  /** A signed answer is refused once an earlier message has changed. */
  readonly bindsOriginals: boolean;
}

/** By the provider's id in the AI SDK. The first match counts. */
const TRAITS: readonly (readonly [RegExp, ProviderTraits])[] = [
  [/^(?:openai|azure)\.responses$/, { takesImagesInResults: true, bindsOriginals: false }],
  [/(?:^|\.)anthropic\.messages$/, { takesImagesInResults: true, bindsOriginals: true }],
  [/^google\b.*\.(?:generative-ai|interactions)$/, { takesImagesInResults: true, bindsOriginals: false }],
  // Tool messages of chat completions are text. The AI SDK would serialize an image there as JSON.
  [/\.chat$/, { takesImagesInResults: false, bindsOriginals: false }],
];

/** Safe for all: every protocol allows images in user messages. */
const OTHERS: ProviderTraits = { takesImagesInResults: false, bindsOriginals: true };

/** Traits of a model's provider. */
export function providerTraits({ provider, specificationVersion }: LanguageModelObject): ProviderTraits {
  const [, traits = OTHERS] = TRAITS.find(([id]) => id.test(provider)) ?? [];
  // Packages with older specifications use other result parts and drop the current ones.
  return specificationVersion === 'v4' ? traits : { ...traits, takesImagesInResults: false };
}
