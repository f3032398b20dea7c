import type { PageInstructions } from './instruction-case.ts';

/** Swagger UI: folding operations, most of them named by method and path. */
export const swaggerUi: PageInstructions = {
  page: 'swagger-ui',
  cases: [
    { say: 'open the operation that lists the tools', element: '#operations-tools-listTools .opblock-summary-control' },
    { say: 'expand "Borrow a tool"', element: '#operations-loans-createLoan .opblock-summary-control' },
    { say: 'click the Authorize button', element: 'button.authorize' },
    {
      say: 'open DELETE /loans/{loanId}',
      element: '#operations-loans-returnTool .opblock-summary-control',
      orElse: ['#operations-loans-returnTool .opblock-control-arrow'],
    },
    { say: 'show a member', element: '#operations-members-getMember .opblock-summary-control' },
    { say: 'fold the schemas section', element: 'button.models-control' },
    { say: 'look at the NewLoan schema', element: '#model-NewLoan button.model-box-control' },
    { say: 'open the openapi.json file', element: 'a[href="/openapi.json"]' },
    {
      say: 'show the operation for bringing a tool back',
      element: '#operations-loans-returnTool .opblock-summary-control',
    },
    { say: 'open the operation that updates a member', element: null },
  ],
};
