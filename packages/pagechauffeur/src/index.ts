export type { ActOptions } from './act/act.ts';
export type { ActResult } from './act/act-result.ts';
export type { DomainRules } from './cdp/network/domain-policy.ts';
export { Driver, type EvidenceRequest, type ExtractRequest } from './driver/driver.ts';
export type { DriverOptions, LocalBrowserLaunchOptions } from './driver/driver-options.ts';
export type { HistoryEntry } from './driver/history.ts';
export type { Metrics } from './driver/metrics.ts';
export {
  ActTimeoutError,
  AgentAbortError,
  ContentFrameNotFoundError,
  DriverAbortError,
  DriverClickError,
  DriverClosedError,
  DriverCookieError,
  DriverDomainPolicyError,
  DriverDomProcessError,
  DriverElementNotFoundError,
  DriverElementNotVisibleError,
  DriverEnvironmentError,
  DriverError,
  DriverEvalError,
  DriverHTTPHeadersError,
  DriverIframeError,
  DriverInitError,
  DriverInvalidArgumentError,
  DriverLocatorError,
  DriverNavigationError,
  DriverNotInitializedError,
  DriverPageNotFoundError,
  DriverProtocolError,
  DriverShadowRootMissingError,
  DriverTimeoutError,
  DriverVariableOriginError,
  DriverUnsupportedFeatureError,
  ExperimentalFeatureError,
  ExtractError,
  ExtractTimeoutError,
  InvalidSdkModelFormatError,
  LLMResponseError,
  McpConnectionError,
  MissingEnvironmentVariableError,
  MissingLLMConfigurationError,
  ObserveTimeoutError,
  RemoteApiError,
  RemoteQuotaError,
  RemoteSessionNotFoundError,
  SchemaValidationError,
  UnsupportedModelError,
  XPathResolutionError,
} from './errors.ts';
export type { CookieIssue, DriverErrorOptions, Recovery, SchemaIssue } from './errors.ts';
export type { Agent } from './agent/agent.ts';
export type {
  AgentAbort,
  AgentCallbacks,
  AgentPart,
  AgentStart,
  AgentStepStart,
  PlannedAction,
  PreparedStep,
  PrepareStep,
  PrepareStepOptions,
} from './agent/agent-callbacks.ts';
export type { AgentBudget, AgentConfig, AgentMode, ExecuteOptions } from './agent/agent-options.ts';
export type { SafetyCallback, SafetyCheck, SafetyQuestion } from './agent/computer-use/safety-check.ts';
export type {
  AgentAction,
  AgentMetadata,
  AgentResult,
  AgentStep,
  AgentToolCall,
  AgentToolResult,
} from './agent/agent-result.ts';
export type { ScriptOptions } from './agent/script/to-script.ts';
export type { ModelPrice } from './agent/prices.ts';
export type { AgentRun, StreamingAgent } from './agent/streaming-agent.ts';
export type {
  Integration,
  McpClient,
  McpClientIntegration,
  McpCommandIntegration,
  McpUrlIntegration,
} from './tools/mcp/integration.ts';
export type { OwnTool } from './tools/custom/custom-tool.ts';
export type { Handoff, HandoffAnswer, HandoffQuestion } from './tools/handoff.ts';
export type { PersonQuestion } from './driver/ask-person.ts';
export type { ToolOptions } from './tools/tool-options.ts';
export type { ExtractedText, PageText } from './extract/extract.ts';
export type { EvidenceOptions, ExtractOptions } from './extract/extract-options.ts';
export type { ExtractResult } from './extract/extract-result.ts';
export type { EvidenceOf, FieldEvidence, WithEvidence } from './extract/evidence.ts';
export type { ExtractSchema, InferSchema } from './extract/schema.ts';
export type {
  AnswerPart,
  FinishReason,
  HealIntent,
  InstructionIntent,
  Intent,
  JsonSchema,
  ModelCall,
  ModelCallResult,
  ModelClient,
  ModelImage,
  ModelMessage,
  ModelOpenPage,
  ModelPageView,
  ModelRequest,
  ModelResponse,
  ModelTool,
  ModelUsage,
  ModelVariable,
  ModelVerb,
  ProvidedTool,
} from './model/model-client.ts';
export type {
  LLMClient,
  LanguageModelObject,
  ModelCallSettings,
  ModelConfiguration,
  ModelOptions,
} from './model/model-configuration.ts';
export type { ObserveOptions } from './observe/observe.ts';
export type { ProxyOptions } from './launch/proxy-settings.ts';
export type { ActionEffect } from './actions/element-action.ts';
export type { ConsoleLocation, ConsoleMessage } from './page/console-message.ts';
export type { ContextEventMap, DriverContext, StorageStateOptions } from './page/context.ts';
export type { Clipboard, ClipboardKeyOptions } from './page/context/clipboard.ts';
export type { Cookie, CookieFilter } from './page/context/cookies.ts';
export type { InitScript } from './page/context/init-scripts.ts';
export type { NewCookie } from './page/context/new-cookie.ts';
export type { PermissionName } from './page/context/permissions.ts';
export type { OriginStorage, StorageState } from './page/context/storage-state.ts';
export type { Dialog } from './page/dialog.ts';
export type { Download } from './page/download.ts';
export type { ForeignPage } from './page/foreign-page.ts';
export type { InputFile } from './actions/put-files.ts';
export type {
  ElementActions,
  LocatorActionOptions,
  LocatorClickOptions,
  LocatorPointerOptions,
} from './page/element-actions.ts';
export type { HighlightColor, HighlightOptions } from './page/highlight-element.ts';
export type { Frame, FrameLocator, Locator, WaitForSelectorOptions } from './page/locator.ts';
export type { LocatorOptions, Queries } from './page/queries.ts';
export type { FilterOptions, RoleOptions, TextMatchOptions } from './page/selector-text.ts';
export type { LoadState } from './page/navigation-watch.ts';
export type { GotoOptions, NavigationOptions, Page } from './page/page.ts';
export type { PointClickOptions, PointDragOptions, PointOptions } from './page/page-pointer.ts';
export type { Keyboard, KeyOptions } from './actions/input/keyboard.ts';
export type { KeyModifier } from './actions/input/modifier-names.ts';
export type { Mouse, MouseButtonOptions, MouseClickOptions } from './actions/input/mouse.ts';
export type { PageEventMap, WaitForEventOptions } from './page/page-events.ts';
export type { PageSnapshot } from './page/page-snapshot.ts';
export type { Request } from './page/request.ts';
export type { Length, PaperFormat, PdfOptions } from './page/print-pdf.ts';
export type { Response, SecurityDetails } from './page/response.ts';
export type { HeaderLine } from './page/response-headers.ts';
export type { WaitForFunctionOptions } from './page/wait-for-function.ts';
export type { Answer } from './page/routing/fulfillment.ts';
export type { Route, RouteChanges, RouteErrorCode } from './page/routing/route.ts';
export type { RouteHandler, RouteOptions } from './page/routing/route-table.ts';
export type { UrlPattern } from './page/routing/url-pattern.ts';
export type { MaskLocator, PictureType, ScreenshotOptions } from './page/screenshot-options.ts';
export type { SnapshotNode, SnapshotState } from './snapshot/snapshot-node.ts';
export type { SnapshotOptions } from './snapshot/snapshot.ts';
export type { Listener } from './util/listeners.ts';
export type { Logger, LogLevel, LogLine } from './util/log.ts';
export type { CallOptions } from './util/progress.ts';
export type { Action } from './replay/action.ts';
export type { BoundValue, VariableValue, Variables } from './policy/variables.ts';
export type { CacheStatus, InstructionOptions } from './verb/verb-context.ts';
export type { Box, Point, WaitState } from './injected/contract.ts';
export type { MouseButton } from './actions/input/mouse-events.ts';
export type { RemoteServiceName } from './remote/open-service.ts';
export type { LocatorCallOptions } from './page/element-reading.ts';
