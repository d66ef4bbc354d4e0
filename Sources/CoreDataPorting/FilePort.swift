#if Overlay
package import CoreDataCodegen
package import CoreDataModelFormat

/// An import of the framework, and where a source ported in place has it: the offset of a line's beginning.
package struct MissingImport: Sendable, Hashable {
    package var offset: Int
    /// Whether what the module shows to others names something of the framework, in a file that says of its imports who
    /// sees them.
    package var isPublic: Bool

    package var text: String { (isPublic ? "public " : "") + "import CoreData" }
}

/// What one source needs before it compiles on Linux.
package struct FilePort: Sendable {
    package var source: SourceText
    package internal(set) var rewrites: [Rewrite] = []
    /// What cannot be ported, with the reason and the remedy.
    package internal(set) var refusals: [Diagnostic] = []
    /// What can be ported in place alone.
    package internal(set) var overlayRefusals: [Diagnostic] = []
    /// What the overlay alone can port.
    package internal(set) var inPlaceRefusals: [Diagnostic] = []
    /// Lines after the last of the text that the overlay has.
    package internal(set) var additions: [String] = []
    /// The methods that selectors stand for.
    package internal(set) var selectedMethods: [MethodReference] = []
    /// The overrides in extensions that their classes can have instead, and those that come to classes of this file.
    package internal(set) var movedOverrides: [MovedOverride] = []
    package internal(set) var arrivingOverrides: [ArrivingOverride] = []
    /// The import of the framework that the file lacks.
    package internal(set) var missingImport: MissingImport?
    /// The places of `@NSManaged` properties that are computed ones in the ported text.
    package internal(set) var computedProperties: Set<SourcePlace> = []

    package init(of source: SourceText) { self.source = source }

    package var isNeeded: Bool { !rewrites.isEmpty || !additions.isEmpty || missingImport != nil }

    private func line(of rewrite: Rewrite) -> Int {
        1 + source.text.utf8.prefix(rewrite.range.lowerBound).count { $0 == UInt8(ascii: "\n") }
    }

    /// What compiles everywhere and works on Apple's systems alone, as long as no overlay rewrites it.
    package var warnings: [Diagnostic] {
        rewrites.compactMap { rewrite in
            guard case .retyping(let call) = rewrite.kind else { return nil }
            return Diagnostic(
                .warning,
                "a cast between types of requests fails on Linux: make the request with its type, or write \(call)) "
                    + "under #if !canImport(ObjectiveC)",
                file: source.path, line: line(of: rewrite))
        }
    }

    /// The source as the compiler is to read it on Linux: every token that is not rewritten stands where it stood.
    package var text: String {
        let lines = additions + (missingImport.map { [$0.text] } ?? [])
        return OverlayText(of: source.text, rewrites, additions: lines).text
    }

    /// The source as it compiles on Linux and on Apple's systems alike; what is ported so needs no porting any more.
    package var portableText: String { PortableText(of: self).text }
}
#endif
