import type { LanguageModelObject } from './model-configuration.ts';

/** What a provider's protocol supports. */
export interface ProviderTraits {
  /** True if tool results may contain images. Otherwise a user message after them contains the images. */
  readonly takesImagesInResults: boolean;
  /** True if the provider rejects a signed response after a change of an earlier message. */
  readonly bindsOriginals: boolean;
}

/** Traits by the provider's id in the AI SDK. The first match counts. */
const TRAITS: readonly (readonly [RegExp, ProviderTraits])[] = [
  [/^(?:openai|azure)\.responses$/, { takesImagesInResults: true, bindsOriginals: false }],
  [/(?:^|\.)anthropic\.messages$/, { takesImagesInResults: true, bindsOriginals: true }],
  [/^google\b.*\.(?:generative-ai|interactions)$/, { takesImagesInResults: true, bindsOriginals: false }],
  // Tool messages of chat completions only contain text. The AI SDK would serialize an image as JSON.
  [/\.chat$/, { takesImagesInResults: false, bindsOriginals: false }],
];

/** Defaults that work with all providers, because every protocol allows images in user messages. */
const OTHERS: ProviderTraits = { takesImagesInResults: false, bindsOriginals: true };

/** Returns the traits of a model's provider. */
export function providerTraits({ provider, specificationVersion }: LanguageModelObject): ProviderTraits {
  const [, traits = OTHERS] = TRAITS.find(([id]) => id.test(provider)) ?? [];
  // Packages for older versions of the specification use other result parts and drop the current ones.
  return specificationVersion === 'v4' ? traits : { ...traits, takesImagesInResults: false };
}
