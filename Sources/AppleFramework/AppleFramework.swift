// The product `CoreData` on Apple's systems. It is empty, since `import CoreData` is Apple's own framework
// there.
