import CoreDataStore
import Synchronization

/// A cache of the latest queries, compiled, by their form without constants.
///
/// Apps ask the same few questions about many objects, and compiling a query takes longer than SQLite needs
/// to answer it.
final class CompiledQueries: Sendable {
    private let compiler: SelectCompiler
    private let known = Mutex<[FetchQuery: CompiledQuery]>([:])
    private static let capacity = 256

    init(_ compiler: SelectCompiler) {
        self.compiler = compiler
    }

    /// The number of statements that are kept.
    var count: Int { known.withLock { $0.count } }

    /// Returns the compiled query, from the cache if its form is there.
    func compile(_ query: FetchQuery) throws(StoreError) -> CompiledQuery {
        // Compiling an erroneous query throws its error.
        guard
            let parts = ParameterizedQuery(query, indexedTextLength: compiler.dialect.indexedTextLength),
            let template = template(parts.template),
            let select = try? template.select.filled(with: parts.constants, by: compiler.encoder)
        else { return try compiler.compile(query) }
        return CompiledQuery(select: select, plan: template.plan, cells: template.cells)
    }

    private func template(_ query: FetchQuery) -> CompiledQuery? {
        if let template = known.withLock({ $0[query] }) { return template }
        guard let template = try? compiler.compile(query, parameters: ParameterizedQuery.parameters) else {
            return nil
        }
        known.withLock { known in
            if known.count >= Self.capacity { known.removeAll(keepingCapacity: true) }
            known[query] = template
        }
        return template
    }
}
