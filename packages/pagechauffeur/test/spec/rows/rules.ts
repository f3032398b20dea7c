import type { SpecPart } from './part.ts';

/** Keys, log, errors, limits and versions. */
export const ruleParts: Readonly<Record<string, SpecPart>> = {
  authentication: {
    title: 'Authentication',
    rows: {
      'platform-key': 'env REMOTE needs a key, as an option or in the environment',
      'option-first': 'options override the environment',
      'configured-key': 'the key of a model configuration',
      'environment-keys': '<PROVIDER>_API_KEY for three providers',
      'missing-key': 'a missing model key throws a MissingLLMConfigurationError',
      'missing-variable': 'a missing environment variable throws a MissingEnvironmentVariableError',
      'variables-kept': 'variable values do not reach model providers',
      wire: 'how the library authenticates with the platform',
    },
  },
  events: {
    title: 'Events',
    rows: {
      logger: 'the driver calls the logger for each line',
      verbosity: 'verbose selects the lines',
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
      XPathResolutionError: 'an XPath matches no element',
      DriverShadowRootMissingError: 'the host has no shadow root',
      LLMResponseError: "the model's answer is unusable",
      MissingLLMConfigurationError: 'no key and no client for a model',
      UnsupportedModelError: 'the model does not support the request',
      InvalidSdkModelFormatError: 'a model string without the form provider/model',
      DriverElementNotFoundError: 'no element for the selector',
      DriverClickError: 'a click failed',
      DriverInitError: 'init() failed',
      DriverNotInitializedError: 'a method was called before init()',
      RemoteSessionNotFoundError: 'the remote session does not exist',
      MissingEnvironmentVariableError: 'a required variable is not set',
      DriverEnvironmentError: 'the environment configuration is wrong',
      'act-failure': 'a failed act may return success: false',
    },
  },
  limits: {
    title: 'Limits',
    rows: {
      domSettleTimeout: '30000 ms by default, for all operations',
      'timeout-act': 'the longest wait of one act',
      'timeout-observe': 'the longest wait of one observe',
      'timeout-extract': 'the longest wait of one extract',
      port: 'random by default',
      screenshot: 'of the current viewport only, as PNG',
    },
  },
  versioning: {
    title: 'Versioning',
    rows: {
      experimental: 'features that may change without notice must be enabled',
      'model-format': 'a model name has the form provider/model',
    },
  },
};
