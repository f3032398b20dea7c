import type { SpecPart } from './part.ts';

/** Keys, log, errors, limits and versions. */
export const ruleParts: Readonly<Record<string, SpecPart>> = {
  authentication: {
    title: 'Authentication',
    rows: {
      'platform-key': 'env REMOTE needs a key, as an option or in the environment',
      'option-first': 'options count for more than the environment',
      'configured-key': 'the key of a model configuration',
      'environment-keys': '<PROVIDER>_API_KEY for three providers',
      'missing-key': 'a missing key of a model is MissingLLMConfigurationError',
      'missing-variable': 'a missing variable is MissingEnvironmentVariableError',
      'variables-kept': 'values of variables go to no model provider',
      wire: 'how the library proves itself to the platform',
    },
  },
  events: {
    title: 'Events',
    rows: {
      logger: 'the logger is called for each line',
      verbosity: 'verbose decides which lines there are',
      category: 'a line has a category',
      message: 'a line has a message',
      auxiliary: 'a line may have details',
    },
  },
  errors: {
    title: 'Errors',
    rows: {
      DriverError: 'the base class of all',
      SchemaValidationError: 'extracted data does not match the schema',
      DriverDomProcessError: 'the DOM cannot be processed',
      DriverEvalError: 'JavaScript in the page failed',
      DriverIframeError: 'the frame of the element cannot be resolved',
      ContentFrameNotFoundError: 'the selector names a frame without a document',
      XPathResolutionError: 'an XPath leads nowhere',
      DriverShadowRootMissingError: 'the host has no shadow root',
      LLMResponseError: "the model's answer cannot be used",
      MissingLLMConfigurationError: 'neither key nor client of a model',
      UnsupportedModelError: 'the model cannot do what is asked',
      InvalidSdkModelFormatError: 'a model string that is not provider/model',
      DriverElementNotFoundError: 'no element for the selector',
      DriverClickError: 'a click failed',
      DriverInitError: 'init() failed',
      DriverNotInitializedError: 'a method before init()',
      RemoteSessionNotFoundError: 'no such remote session',
      MissingEnvironmentVariableError: 'a required variable is not set',
      DriverEnvironmentError: 'the environment configuration is wrong',
      'act-failure': 'an act that failed may be told by success: false',
    },
  },
  limits: {
    title: 'Limits',
    rows: {
      domSettleTimeout: '30000 ms by default, for all operations',
      'timeout-act': 'the longest wait of one act',
      'timeout-observe': 'the longest wait of one observe',
      'timeout-extract': 'the longest wait of one extract',
      port: 'chosen at random unless it is given',
      screenshot: 'of the current viewport only, as PNG',
    },
  },
  versioning: {
    title: 'Versioning',
    rows: {
      experimental: 'what may change without notice must be enabled',
      'model-format': 'provider/model is how a model is named',
    },
  },
};
