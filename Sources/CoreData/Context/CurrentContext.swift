/// The context whose block runs on this thread.
enum CurrentContext {
    @TaskLocal static var context: NSManagedObjectContext?

    static func run(_ block: () -> Void, in context: NSManagedObjectContext) {
        $context.withValue(context) { block() }
    }
}
