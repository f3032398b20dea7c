import type { PageInstructions } from './instruction-case.ts';

/** A file tree with nested and collapsed items. */
export const tree: PageInstructions = {
  page: 'tree.html',
  cases: [
    { say: 'open config.json', element: '#t-config' },
    { say: 'expand the components folder', element: '#t-comp' },
    { say: 'collapse docs', element: '#t-docs' },
    { say: 'select guide.md in the file tree', element: '#t-guide' },
    { say: 'collapse everything', element: '#collapse' },
    { say: 'create a folder', element: '#new-folder' },
    { say: 'rename the file', element: '#rename' },
    { say: 'delete this file', element: '#del' },
    { say: 'right click index.ts', element: '#t-index', method: 'rightClick' },
    { say: 'open package.json', element: null },
    { say: 'download the readme', element: '#download' },
    { say: 'focus the editor', element: '#editor', method: ['focus', 'click'] },
    { say: 'replace the editor content with "Hello"', element: '#editor', arguments: ['Hello'] },
    { say: 'open the test directory', element: '#t-test' },
  ],
};
