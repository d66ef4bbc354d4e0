#if Overlay
package import CoreDataCodegen
package import CoreDataModelFormat

/// An import of the framework that a source lacks, with its position when the source is ported in place: the
/// offset of a line's start.
package struct MissingImport: Sendable, Hashable {
    package var offset: Int
    /// Whether the import has to be public, because the file has public imports, and public declarations in
    /// it use names of the framework.
    package var isPublic: Bool

    package var text: String { (isPublic ? "public " : "") + "import CoreData" }
}

/// The changes that one source needs before it compiles on Linux.
package struct FilePort: Sendable {
    package var source: SourceText
    package internal(set) var rewrites: [Rewrite] = []
    /// Errors for the places that cannot be ported, with the reason and the remedy.
    package internal(set) var refusals: [Diagnostic] = []
    /// Errors for the places that can be ported only in place.
    package internal(set) var overlayRefusals: [Diagnostic] = []
    /// Errors for the places that can be ported only by the overlay.
    package internal(set) var inPlaceRefusals: [Diagnostic] = []
    /// Lines that follow the last line of the text in the overlay.
    package internal(set) var additions: [String] = []
    /// The methods that selectors refer to.
    package internal(set) var selectedMethods: [MethodReference] = []
    /// The overrides in extensions that can move to their classes, and those that move to classes of this
    /// file.
    package internal(set) var movedOverrides: [MovedOverride] = []
    package internal(set) var arrivingOverrides: [ArrivingOverride] = []
    /// The import of the framework that the file lacks.
    package internal(set) var missingImport: MissingImport?
    /// The positions of `@NSManaged` properties that become computed ones in the ported text.
    package internal(set) var computedProperties: Set<SourcePosition> = []

    package init(of source: SourceText) { self.source = source }

    package var isNeeded: Bool { !rewrites.isEmpty || !additions.isEmpty || missingImport != nil }

    private func line(of rewrite: Rewrite) -> Int {
        1 + source.text.utf8.prefix(rewrite.range.lowerBound).count { $0 == UInt8(ascii: "\n") }
    }

    /// Warnings for code that compiles everywhere but works only on Apple's systems unless the overlay
    /// rewrites it.
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

    /// The source as the compiler reads it on Linux. Every token that is not rewritten is in its old place.
    package var text: String {
        let lines = additions + (missingImport.map { [$0.text] } ?? [])
        return OverlayText(of: source.text, rewrites, additions: lines).text
    }

    /// The source in a form that compiles both on Linux and on Apple's systems. Porting it again changes
    /// nothing.
    package var portableText: String { PortableText(of: self).text }
}
#endif
