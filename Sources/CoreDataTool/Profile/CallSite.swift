import CoreData

/// The calls of an app that led to an event: those that are neither the framework's nor a library's.
package struct CallSite: Sendable, Hashable {
    /// The calls, the innermost first.
    package let calls: [CallNames.Name]

    /// The modules whose calls are left out.
    private static let others: Set<String> = [
        "CoreData", "CoreDataStore", "CoreDataSQL", "CoreDataSQLite", "CoreDataPostgreSQL", "CoreDataLibpq",
        "CoreDataMemory", "CoreDataPredicates", "CoreDataModelFormat", "CoreDataValues", "ModernCoreData",
        "Swift", "Foundation", "Dispatch", "Synchronization",
    ]

    /// Returns the site of a stack; nil if none of its calls has a name in the app.
    init?(_ stack: [CallPlace], _ names: CallNames) {
        let calls = stack.compactMap { names[$0] }.filter { Self.isOfApp($0) }
        guard !calls.isEmpty else { return nil }
        self.calls = calls
    }

    /// Returns whether a call is one that people wrote in an app. Accessors of `@NSManaged` properties are made by
    /// the plugin.
    private static func isOfApp(_ name: CallNames.Name) -> Bool {
        if let file = name.file, file.contains("/plugins/outputs/") || file.contains("<compiler-generated>") {
            return false
        }
        // `(extension in App):CoreData.NSManagedObject.title.getter : …`, or `generic specialization <…> of …`.
        var text = name.function[...]
        if let range = text.range(of: "(extension in ") { text = text[range.upperBound...] }
        if let range = text.range(of: "> of ") { text = text[range.upperBound...] }
        for prefix in ["static ", "closure #1 in ", "partial apply forwarder for ", "merged "]
        where text.hasPrefix(prefix) {
            text = text.dropFirst(prefix.count)
        }
        let module = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        let rest = text.dropFirst(module.count).first
        guard rest == "." || rest == ")" else { return text.hasPrefix("main") }
        return !others.contains(String(module))
    }

    package var text: String { calls[0].text }
}
