#if Studio
import NIOCore
import NIOHTTP1

/// Stands between the parser of a connection and what answers: it lets only requests through that pass the
/// gate, one at a time, and ends connections that take too long.
final class RequestWatch: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        /// Between requests; no byte of the next one has come.
        case idle
        case head
        case body
        case answering
        /// The connection was answered for the last time; what still comes is dropped.
        case leaving
    }

    /// How long a client may take to read why it was turned away.
    private static let leavingTime = TimeAmount.seconds(2)

    private let gate: Gate
    private let limits: ServerLimits
    private var state = State.idle
    private var bodyBytes = 0
    private var timer: Scheduled<Void>?

    init(gate: Gate, limits: ServerLimits) {
        self.gate = gate
        self.limits = limits
    }

    // MARK: Time

    private func limit(to time: Duration, _ context: ChannelHandlerContext) {
        let channel = context.channel
        timer?.cancel()
        timer = context.eventLoop.scheduleTask(in: TimeAmount(time)) { channel.close(promise: nil) }
    }

    func handlerAdded(context: ChannelHandlerContext) { limit(to: limits.headTime, context) }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    /// Notes that bytes came, before the parser sees them.
    func bytesCame(_ context: ChannelHandlerContext) {
        guard case .idle = state else { return }
        state = .head
        limit(to: limits.headTime, context)
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (unwrapInboundIn(data), state) {
        case (.head(let head), .head):
            do {
                try gate.check(RequestHead(head))
                (state, bodyBytes) = (.body, 0)
                limit(to: limits.bodyTime, context)
                context.fireChannelRead(data)
            } catch {
                refuse(error, context)
            }
        case (.head, .leaving): break
        // The next request, before the answer to the one before: no browser does that.
        case (.head, _): refuse(Refusal(400, "one request at a time"), context)
        case (.body(let bytes), .body):
            bodyBytes += bytes.readableBytes
            if bodyBytes > limits.bodyBytes {
                refuse(Refusal(413, "the body is longer than \(limits.bodyBytes) bytes"), context)
            } else {
                context.fireChannelRead(data)
            }
        case (.end, .body):
            timer?.cancel()
            state = .answering
            context.fireChannelRead(data)
        case (.body, _), (.end, _): break
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .leaving = state {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        if case .end = unwrapOutboundIn(data) {
            state = .idle
            limit(to: limits.idleTime, context)
        }
        context.write(data, promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else {
            context.close(promise: nil)
            return
        }
        let isTooLong = error == .headerOverflow
        refuse(
            Refusal(isTooLong ? 431 : 400, isTooLong ? "the head is too long" : "this is no HTTP request"),
            context)
    }

    /// Answers why, and ends the connection. It is closed for writing first, since closing it with bytes
    /// unread could take the answer away from the client.
    private func refuse(_ refusal: Refusal, _ context: ChannelHandlerContext) {
        if case .leaving = state { return }
        let isBetweenAnswers = if case .answering = state { false } else { true }
        state = .leaving
        timer?.cancel()
        guard isBetweenAnswers else { return context.close(promise: nil) }
        for part in ServerResponse(refusal).parts(isKeptAlive: false) {
            context.write(wrapOutboundOut(part), promise: nil)
        }
        context.flush()
        context.close(mode: .output, promise: nil)
        limit(to: Duration.nanoseconds(Self.leavingTime.nanoseconds), context)
    }
}

/// Tells the watch of bytes before the parser has them.
final class ByteWatch: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let watch: RequestWatch

    init(_ watch: RequestWatch) {
        self.watch = watch
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        watch.bytesCame(context)
        context.fireChannelRead(data)
    }
}
#endif
