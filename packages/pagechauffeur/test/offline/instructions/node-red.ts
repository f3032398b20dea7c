import type { PageInstructions } from './instruction-case.ts';

/** The Node-RED editor: links without addresses, icon buttons, a palette of categories. */
export const nodeRed: PageInstructions = {
  page: 'node-red',
  cases: [
    { say: 'deploy the flows', element: '#red-ui-header-button-deploy' },
    { say: 'open the main menu', element: '#red-ui-header-button-sidemenu' },
    { say: 'go to the Stock alarm flow', element: '#red-ui-tab-stock-alarm a' },
    { say: 'add a new flow', element: 'a[aria-label="Add flow"]' },
    { say: 'type http into the filter nodes box', element: '#red-ui-palette-search input', arguments: ['http'] },
    {
      say: 'search the flows for greeting',
      element: '.red-ui-info-toolbar input',
      arguments: ['greeting'],
      twoStep: true,
    },
    { say: 'collapse the network category', element: '#red-ui-palette-header-network' },
    { say: 'zoom in', element: '#red-ui-view-zoom-in' },
    { say: 'show the debug messages', element: 'button[data-tab-id=debug]' },
    { say: 'clear all messages', element: '#red-ui-sidebar-debug-clear' },
    { say: 'show the deploy options', element: '#red-ui-header-button-deploy-options' },
    { say: 'log out', element: null },
  ],
};
