import type { PageInstructions } from './instruction-case.ts';

/** A menu bar with an open menu and an open submenu, and a tool bar. */
export const menus: PageInstructions = {
  page: 'menus.html',
  cases: [
    { say: 'open the Edit menu', element: '#m-edit' },
    { say: 'export the drawing as a PDF', element: '#x-pdf' },
    { say: 'File > Export as > SVG image', element: '#x-svg' },
    { say: 'create a new drawing', element: '#f-new' },
    { say: 'switch to the eraser', element: '#tool-eraser' },
    { say: 'pick the text tool', element: '#tool-text' },
    { say: 'undo the last step', element: '#undo' },
    { say: 'redo', element: '#redo' },
    { say: 'zoom in', element: '#zoom-in' },
    { say: 'zoom out a bit', element: '#zoom-out' },
    { say: 'turn off automatic saving', element: '#f-autosave' },
    { say: 'hover over Open recent', element: '#f-recent', method: 'hover' },
    { say: 'quit the application', element: '#f-quit' },
    { say: 'show more tools', element: '#more' },
    { say: 'get help', element: '#m-help' },
    { say: 'export as JPEG', element: null },
    { say: 'right-click the drawing area', element: '#canvas', method: 'rightClick' },
    { say: 'insert a table', element: null },
  ],
};
