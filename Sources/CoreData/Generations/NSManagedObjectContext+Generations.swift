import CoreDataStore
import Foundation

extension NSManagedObjectContext {
    // MARK: Pinning

    /// The token after a save: a pinned context moves on to the state that it saved.
    final var generationAfterSave: NSQueryGenerationToken? { generationToken.map { _ in .current } }

    final var generationToken: NSQueryGenerationToken? {
        switch generation {
        case .latest: nil
        case .next: .current
        case .pinned(let generation): NSQueryGenerationToken(generation)
        }
    }

    final func baseSetQueryGeneration(from token: NSQueryGenerationToken?) throws {
        guard let token else { return generation = .latest }
        guard source == nil else {
            throw CoreDataError.error(
                NSCoreDataError, reason: "A nested context sees what its parent sees: pin the parent.")
        }
        guard let wanted = token.generation else {
            if let coordinator { try QueryGeneration.requireSupport(in: coordinator) }
            return generation = .next
        }
        guard let coordinator, wanted.isOf(coordinator) else {
            throw CoreDataError.error(
                NSCoreDataError,
                reason: "The query generation token is of another coordinator than the context's.")
        }
        generation = .pinned(wanted)
    }

    /// Has a pinned context move on to the generation that is current at its next read.
    final func advanceGeneration() {
        if case .pinned = generation { generation = .next }
    }

    // MARK: Reading

    /// Returns the stores in the generation that this context reads.
    final func readHandles() throws -> [StoreHandle] {
        let handles = handles
        guard let pinned = try resolvedGeneration() else { return handles }
        return handles.map(pinned.handle)
    }

    /// Returns a store in the generation that this context reads.
    ///
    /// Traps if the store cannot be pinned, as for any fault that cannot be filled: the callers cannot throw.
    final func readHandle(at index: Int16) -> StoreHandle? {
        guard case .latest = generation else { return pinnedHandle(at: index) }
        if let lastRead, lastRead.handle.index == index, lastRead.arrangement == StoreShelf.arrangement {
            return lastRead.handle
        }
        let arrangement = StoreShelf.arrangement
        let handle = handle(at: index)
        // A nested context has handles of its own, whose changes `StoreShelf.arrangement` does not show.
        lastRead = source == nil ? handle.map { (arrangement, $0) } : nil
        return handle
    }

    private final func pinnedHandle(at index: Int16) -> StoreHandle? {
        guard let handle = handle(at: index) else { return nil }
        do {
            return try resolvedGeneration()?.handle(for: handle) ?? handle
        } catch {
            programmerError("The context \(name ?? "") cannot be pinned to a query generation: \(error)")
        }
    }

    private final func resolvedGeneration() throws -> QueryGeneration? {
        switch generation {
        case .latest: return nil
        case .pinned(let generation): return generation
        case .next:
            let first = try QueryGeneration(of: requiredCoordinator)
            generation = .pinned(first)
            return first
        }
    }
}
