package import CoreDataPredicates
package import Foundation

/// A query of the history of one store.
package struct HistoryQuery: Sendable, Equatable {
    /// The position after which transactions are included; nil for all transactions.
    package var start: HistoryPosition?
    package var filter: HistoryFilter?
    /// Whether transactions come with their changes.
    package var includesChanges: Bool

    package init(start: HistoryPosition? = nil, filter: HistoryFilter? = nil, includesChanges: Bool = true) {
        self.start = start
        self.filter = filter
        self.includesChanges = includesChanges
    }
}

/// A position in the history of a store.
package enum HistoryPosition: Sendable, Equatable {
    case mark(HistoryMark)
    case date(Date)
}

/// A fetch request on one of the history's entities, frozen.
package struct HistoryFilter: Sendable, Equatable {
    package enum Subject: Sendable, Equatable {
        /// Whole transactions, with all their changes.
        case transactions
        /// The changes that match, each in its transaction.
        case changes
    }

    package var subject: Subject
    package var predicate: PredicateNode?
    package var sort: [SortKey]
    /// 0 means no limit.
    package var limit: Int
    package var offset: Int

    package init(
        _ subject: Subject,
        predicate: PredicateNode? = nil,
        sort: [SortKey] = [],
        limit: Int = 0,
        offset: Int = 0
    ) {
        self.subject = subject
        self.predicate = predicate
        self.sort = sort
        self.limit = limit
        self.offset = offset
    }
}
