import type { SpecPart } from './part.ts';

/** Keys, log, errors, limits and versions. */
export const ruleParts: Readonly<Record<string, SpecPart>> = {
  authentication: {
    title: 'Authentication',
    rows: {
      'platform-key': 'with env REMOTE, a key is required, as an option or in the environment',
      'option-first': 'options override environment variables',
      'configured-key': 'a model configuration can contain a key',
      'environment-keys': '<PROVIDER>_API_KEY sets the key of OpenAI, Anthropic and Google',
      'missing-key': 'a missing model key throws a MissingLLMConfigurationError',
      'missing-variable': 'a missing environment variable throws a MissingEnvironmentVariableError',
      'variables-kept': 'variable values do not reach model providers',
      wire: 'the driver sends the key to the platform as a bearer token',
    },
  },
  events: {
    title: 'Events',
    rows: {
      logger: 'the driver calls the logger for each log line',
      verbosity: 'verbose selects the log lines',
      category: 'a log line has a category',
      message: 'a log line has a message',
      auxiliary: 'a log line can have details',
    },
  },
  errors: {
    title: 'Errors',
    rows: {
      DriverError: 'is the base class of all errors',
      SchemaValidationError: 'extracted data does not match the schema',
      DriverDomProcessError: 'the document cannot be read',
      DriverEvalError: 'JavaScript in the page threw an error',
      DriverIframeError: 'the frame was removed, failed to load or does not respond',
      ContentFrameNotFoundError: 'the selector enters a frame that has no document',
      XPathResolutionError: 'an XPath is invalid or matches no element',
      DriverShadowRootMissingError: 'an XPath enters a shadow root that does not exist',
      LLMResponseError: "the model's response is unusable",
      MissingLLMConfigurationError: 'no model is configured, or its key is missing or rejected',
      UnsupportedModelError:
        'the model is unknown or does not support the operation, or its provider is unknown or not installed',
      InvalidSdkModelFormatError: 'a model string does not have the form provider/model',
      DriverElementNotFoundError: 'no element matches the selector',
      DriverClickError: 'a click did not reach its element',
      DriverInitError: 'init() failed',
      DriverNotInitializedError: 'a method was called before init()',
      RemoteSessionNotFoundError: 'the remote session does not exist',
      MissingEnvironmentVariableError: 'a required variable is not set',
      DriverEnvironmentError: 'env is neither LOCAL nor REMOTE',
      'act-failure': 'a failed act() can return success: false',
    },
  },
  limits: {
    title: 'Limits',
    rows: {
      domSettleTimeout: 'is 30000 ms by default, for act, observe and extract',
      'timeout-act': 'is the maximum time of one act() in milliseconds',
      'timeout-observe': 'is the maximum time of one observe() in milliseconds',
      'timeout-extract': 'is the maximum time of one extract() in milliseconds',
      port: 'is random by default',
      screenshot: 'shows only the current viewport, as PNG',
    },
  },
  versioning: {
    title: 'Versioning',
    rows: {
      experimental: 'experimental features work only with `experimental: true`',
      'model-format': 'a model name has the form provider/model',
    },
  },
};
