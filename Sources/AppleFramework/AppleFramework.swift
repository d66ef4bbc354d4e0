// What the product `CoreData` consists of on Apple's systems: nothing, since `import CoreData` is their own framework.
