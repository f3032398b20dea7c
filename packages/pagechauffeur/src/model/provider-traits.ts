import type { LanguageModelObject } from './model-configuration.ts';

/** What a provider's protocol allows. */
export interface ProviderTraits {
  /** True if tool results may contain images. Otherwise a user message after them contains the images. */
  readonly takesImagesInResults: boolean;
  /** True if the provider rejects a signed response once an earlier message has changed. */
  readonly bindsOriginals: boolean;
}

/** Traits by provider id in the AI SDK. The first match counts. */
const TRAITS: readonly (readonly [RegExp, ProviderTraits])[] = [
  [/^(?:openai|azure)\.responses$/, { takesImagesInResults: true, bindsOriginals: false }],
  [/(?:^|\.)anthropic\.messages$/, { takesImagesInResults: true, bindsOriginals: true }],
  [/^google\b.*\.(?:generative-ai|interactions)$/, { takesImagesInResults: true, bindsOriginals: false }],
  // In chat completions, tool messages contain only text. The AI SDK would serialize an image as JSON.
  [/\.chat$/, { takesImagesInResults: false, bindsOriginals: false }],
];

/** Traits that work with every provider: all protocols allow images in user messages. */
const OTHERS: ProviderTraits = { takesImagesInResults: false, bindsOriginals: true };

export function providerTraits({ provider, specificationVersion }: LanguageModelObject): ProviderTraits {
  const [, traits = OTHERS] = TRAITS.find(([id]) => id.test(provider)) ?? [];
  // Provider packages for older specification versions do not know the current result parts and drop them.
  return specificationVersion === 'v4' ? traits : { ...traits, takesImagesInResults: false };
}
