#if Studio
import CoreDataStudioInterface
import Synchronization

/// Addresses from which a browser saves a file by itself, which cannot send the token: each is good once, and
/// for a minute.
final class Downloads: Sendable {
    private struct Offer {
        let secret: Secret
        let request: StudioRequest
        let end: ContinuousClock.Instant
    }

    private static let most = 32

    private let now: Access.Now
    private let offers = Mutex<[Offer]>([])

    init(now: @escaping Access.Now) {
        self.now = now
    }

    /// Returns the path from which the answer to a request can be saved.
    func offer(_ request: StudioRequest) -> String {
        let offer = Offer(secret: Secret(), request: request, end: now().advanced(by: .seconds(60)))
        offers.withLock { offers in
            offers.append(offer)
            if offers.count > Self.most { offers.removeFirst() }
        }
        return "/\(ServerRoute.download)/\(offer.secret.text)"
    }

    /// Returns the request behind an address, which ends with that.
    func take(_ secret: String) -> StudioRequest? {
        let present = now()
        return offers.withLock { offers in
            offers.removeAll { $0.end <= present }
            guard let index = offers.firstIndex(where: { $0.secret.equals(secret) }) else { return nil }
            return offers.remove(at: index).request
        }
    }
}
#endif
